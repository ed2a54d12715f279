// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx.library;

import dev.anemone.rdma.transport.TransportUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.openucx.jucx.NativeLibs;

/**
 * Whether the system's UCX is there and new enough. The binding's native part looks up UCX's
 * functions when it first calls them, and one that is missing ends the process: so they are looked
 * for in the library first.
 */
public final class UcxLibrary {

  /** The newest functions that this transport calls, all there from 1.10 on. */
  private static final List<String> FUNCTIONS =
      List.of(
          "ucp_am_send_nbx",
          "ucp_worker_set_am_recv_handler",
          "ucp_conn_request_query",
          "ucp_ep_close_nbx",
          "ucp_ep_flush_nbx",
          "ucp_get_nbx",
          "ucp_put_nbx");

  private static final String INSTALL =
      "install UCX 1.10 or later (Debian and Ubuntu: apt-get install libucx0; Fedora and RHEL: dnf"
          + " install ucx ucx-ib), or put the directory of its libucp.so.0 into LD_LIBRARY_PATH";

  private UcxLibrary() {}

  /**
   * Loads the library.
   *
   * @throws TransportUnavailableException when it is not there, or too old
   */
  public static void require() throws TransportUnavailableException {
    try {
      NativeLibs.load();
    } catch (UnsatisfiedLinkError e) {
      throw new TransportUnavailableException(
          "UCX is not on this machine (" + e.getMessage() + "): " + INSTALL, e);
    }
    Path library;
    try {
      library = loaded("libucp.so");
    } catch (IOException e) {
      throw new TransportUnavailableException(
          "it cannot be seen which libucp was loaded, and so whether it is new enough", e);
    }
    requireFunctions(library);
  }

  /**
   * The file of a library that this process has loaded.
   *
   * @param name what its file's name begins with
   * @throws IOException when there is none, or it cannot be seen
   */
  static Path loaded(String name) throws IOException {
    Path maps = Path.of("/proc/self/maps");
    try (Stream<String> lines = Files.lines(maps, StandardCharsets.UTF_8)) {
      return lines
          .filter(line -> line.contains("/" + name))
          .map(line -> Path.of(line.substring(line.indexOf('/'))))
          .findFirst()
          .orElseThrow(() -> new IOException("no " + name + " among " + maps));
    }
  }

  /** Looks for the names of functions among the library's symbols. */
  static void requireFunctions(Path library) throws TransportUnavailableException {
    String bytes;
    try {
      bytes = Files.readString(library, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new TransportUnavailableException("UCX's " + library + " cannot be read", e);
    }
    Optional<String> missing =
        FUNCTIONS.stream().filter(name -> !bytes.contains("\0" + name + "\0")).findFirst();
    if (missing.isPresent()) {
      throw new TransportUnavailableException(
          library + " is too old (it has no " + missing.get() + "): " + INSTALL, null);
    }
  }
}
