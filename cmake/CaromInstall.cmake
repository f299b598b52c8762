# cmake --install: program, library, headers, what other builds find it by (pkg-config and a CMake package), shell
# completion and examples. Everything is relative to the prefix, so an installed tree may be moved.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS carom EXPORT caromTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET carom_cli)
    install(TARGETS carom_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET carom_mesh_reader) # found from the library: src/base/beside.c
    install(TARGETS carom_mesh_reader RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/carom)
endif()
install(TARGETS carom_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/carom)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

install(EXPORT caromTargets NAMESPACE carom:: DESTINATION ${package_dir})
configure_package_config_file(cmake/caromConfig.cmake.in ${PROJECT_BINARY_DIR}/caromConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/caromConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/caromConfig.cmake ${PROJECT_BINARY_DIR}/caromConfigVersion.cmake
        DESTINATION ${package_dir})

file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir} ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/carom.pc.in ${PROJECT_BINARY_DIR}/carom.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/carom.pc DESTINATION ${pkgconfig_dir})

install(FILES completions/carom.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME carom)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/carom)
