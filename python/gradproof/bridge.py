"""Hands its stdin and stdout to the process that called `gradproof.check`; started by `gradproof verify --exec`."""
import os
import socket
import sys

if __name__ == "__main__":
    with socket.socket(socket.AF_UNIX) as parent:
        os.chdir(sys.argv[1])  # a short address, however long the folder's name is
        parent.connect("s")
        socket.send_fds(parent, [b"k"], [0, 1])
        parent.recv(1)  # to the end
