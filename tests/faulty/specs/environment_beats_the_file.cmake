set(DEFECT "GRADPROOF_SOC wins over aclInit's file.")
set(OPERATOR replication_pad2d_backward)
set(EXPECTED "API")
set(FILE opt/runtime/lifecycle.cpp)
set(OLD [==[      if (status.ok()) status = read_config_file(configPath, config);]==])
set(NEW [==[      if (status.ok()) status = read_config_file(configPath, config);
      if (status.ok()) status = read_environment(config);]==])
