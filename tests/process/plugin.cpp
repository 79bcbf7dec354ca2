// A plug-in that brings the archive along (CMakeLists.txt); it needs no function of its own.
