// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.ucx.UcxTransportProvider;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UcxLibraryTest {

  @TempDir private Path directory;

  @Test
  void aLibraryWithoutAFunctionIsTooOld() throws Exception {
    Path library = directory.resolve("libucp.so.0");
    Files.writeString(
        library, "\0ucp_am_send_nbx\0ucp_init_version\0", StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> UcxLibrary.requireFunctions(library))
        .isInstanceOf(TransportUnavailableException.class)
        .hasMessageContaining(library + " is too old (it has no ucp_worker_set_am_recv_handler)")
        .hasMessageContaining("install UCX 1.10 or later");
  }

  @Test
  void withoutTheLibraryTheSentenceSaysWhatToInstall() throws Exception {
    // A libucp that is none comes first: the process is as one on a machine without UCX.
    Files.writeString(directory.resolve("libucp.so.0"), "not a library");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=" + directory,
            "-cp",
            classPath(),
            Opening.class.getName());
    builder.environment().put("LD_LIBRARY_PATH", directory.toString());
    Process process = builder.redirectErrorStream(true).start();
    String output;
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      output = reader.lines().collect(Collectors.joining("\n"));
    }
    assertThat(process.waitFor()).isZero();
    assertThat(output)
        .contains("UCX is not on this machine")
        .contains("libucp.so.0")
        .contains("apt-get install libucx0");
  }

  private static String classPath() {
    if (UcxLibraryTest.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs()).map(URL::getPath).collect(Collectors.joining(":"));
    }
    return System.getProperty("java.class.path");
  }

  /** The process: prints why the transport does not open. */
  static final class Opening {

    private Opening() {}

    public static void main(String[] args) throws Exception {
      try {
        new UcxTransportProvider().open().close();
      } catch (TransportUnavailableException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
