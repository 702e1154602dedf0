# install.cmake: what `cmake --install` puts where. A prefix may be moved afterwards as a whole.
#
#   bin/supple  include/supple/*.h  lib/libsupple*  lib/pkgconfig/supple*.pc  lib/cmake/supple/
#   share/man/man1/  share/bash-completion, zsh, fish  share/doc/supple/
include(CMakePackageConfigHelpers)

install(TARGETS supple EXPORT supple-targets
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${supple_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/supple)
if(TARGET supple-codecs)
  install(TARGETS supple-codecs EXPORT supple-codecs-targets
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

# ---- find_package(supple) ----
# supple::supple has no dependencies to be found first; the component `codecs` has, where it is static.
install(EXPORT supple-targets NAMESPACE supple:: FILE supple-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/supple)
if(TARGET supple-codecs)
  install(EXPORT supple-codecs-targets NAMESPACE supple:: FILE supple-codecs-targets.cmake
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/supple)
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/supple-config.cmake.in" "${PROJECT_BINARY_DIR}/supple-config.cmake" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/supple-config.cmake" DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/supple)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/supple-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/supple-config-version.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/supple)

# ---- pkg-config ----
# Paths are told from the place of supple.pc itself, unless they were asked for as absolute ones.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(supple_pc_prefix "${CMAKE_INSTALL_PREFIX}")
  set(supple_pc_libdir "${CMAKE_INSTALL_LIBDIR}")
else()
  file(RELATIVE_PATH supple_pc_up "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
  string(REGEX REPLACE "/$" "" supple_pc_up "${supple_pc_up}")
  set(supple_pc_prefix "\${pcfiledir}/${supple_pc_up}")
  set(supple_pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(supple_pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
else()
  set(supple_pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
# A static library asks its user for libm; a shared one has it already. Windows has it in the C library.
set(supple_pc_define "")
set(supple_pc_libs "")
set(supple_pc_libs_private "")
if(BUILD_SHARED_LIBS)
  set(supple_pc_define " -DSUPPLE_SHARED")
endif()
if(UNIX AND BUILD_SHARED_LIBS)
  set(supple_pc_libs_private "-lm")
elseif(UNIX)
  set(supple_pc_libs " -lm")
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/supple.pc.in" "${PROJECT_BINARY_DIR}/supple.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/supple.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET supple-codecs)
  # As above: of a static library its user links what it needs.
  set(supple_pc_codecs "")
  set(supple_pc_codecs_private "")
  list(JOIN supple_codecs_link " " supple_pc_linked)
  if(BUILD_SHARED_LIBS)
    set(supple_pc_codecs_private "${supple_pc_linked}")
  elseif(supple_pc_linked)
    set(supple_pc_codecs " ${supple_pc_linked}")
  endif()
  configure_file("${CMAKE_CURRENT_LIST_DIR}/supple-codecs.pc.in" "${PROJECT_BINARY_DIR}/supple-codecs.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/supple-codecs.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

# ---- the command ----
if(TARGET supple-command)
  install(TARGETS supple-command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(BUILD_SHARED_LIBS AND UNIX AND NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}"
     AND NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    # It finds the library beside it, wherever the prefix is moved.
    file(RELATIVE_PATH supple_lib_from_bin "/prefix/${CMAKE_INSTALL_BINDIR}" "/prefix/${CMAKE_INSTALL_LIBDIR}")
    set(supple_origin "$ORIGIN")
    if(APPLE)
      set(supple_origin "@loader_path")
    endif()
    set_target_properties(supple-command PROPERTIES INSTALL_RPATH "${supple_origin}/${supple_lib_from_bin}")
  endif()
endif()

# Made by packaging/CMakeLists.txt, where the command can run; pages only where scdoc is there.
if(TARGET supple-manual)
  set(supple_manual_dir "${PROJECT_BINARY_DIR}/manual")
  install(DIRECTORY "${supple_manual_dir}/man1/" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
          FILES_MATCHING PATTERN "*.1")
  install(FILES "${supple_manual_dir}/completions/supple.bash" RENAME supple
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES "${supple_manual_dir}/completions/_supple"
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES "${supple_manual_dir}/completions/supple.fish"
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# ---- documents ----
install(FILES LICENSE README.md CHANGELOG.md docs/decisions.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Whose work is in the page that the command carries.
install(FILES web/page/notices.txt web/page/notices_basis.txt DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB supple_example_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.c")
install(FILES ${supple_example_sources} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
