// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import dev.anemone.beam.hdfs.HadoopTls;
import dev.anemone.ndp.protocol.SharedSecret;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.ndp.proxy.ProxyOptions;
import dev.anemone.ndp.proxy.ProxyTls;
import dev.anemone.runtime.resource.ProcessDirectories;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code anemone ndp-proxy}: runs the storage side beside a data node until it is stopped. */
@Command(
    name = "ndp-proxy",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    description = {
      "Runs a proxy of WebHDFS beside a data node, in the foreground until an interrupt ends it.",
      "It hands requests on as they are, but for those with a plan: it runs these on the file's",
      "split, which it reads from its data node in the caller's name.",
      ""
    },
    footer = {
      "",
      "Example: anemone ndp-proxy --datanode=127.0.0.1:9864 --listen=0.0.0.0:9964 \\",
      "             --token-file=/etc/anemone/ndp-token"
    })
final class NdpProxyCommand implements Callable<Integer> {

  private static final int LARGEST_PORT = 65_535;
  private static final String HTTPS = "https://";
  private static final String CONFIGURATION = "HADOOP_CONF_DIR";

  @Spec private CommandSpec command;

  @Option(
      names = "--datanode",
      required = true,
      paramLabel = "HOST:PORT",
      description = {
        "The data node's web server (dfs.datanode.http.address), or with https:// before it that of",
        "HTTPS (dfs.datanode.https.address)."
      })
  private String dataNode;

  @Option(
      names = "--listen",
      defaultValue = "127.0.0.1:9964",
      paramLabel = "HOST:PORT",
      description =
          "Where it listens; with https:// before it, for HTTPS (default: ${DEFAULT-VALUE}).")
  private String listen;

  @Option(
      names = "--cores",
      defaultValue = "1",
      paramLabel = "N",
      description = "Plans that run at the same time, each on one thread (default: 1).")
  private int cores;

  @Option(
      names = "--memory",
      converter = PoolStartCommand.MemorySize.class,
      defaultValue = "1g",
      paramLabel = "SIZE",
      description = "Memory of all running plans, such as 512m, 8g (default: ${DEFAULT-VALUE}).")
  private long memory;

  @Option(
      names = "--queue",
      defaultValue = "8",
      paramLabel = "N",
      description = "Plans that may wait; beyond that it says busy (default: ${DEFAULT-VALUE}).")
  private int queue;

  @Option(
      names = "--connections",
      defaultValue = "256",
      paramLabel = "N",
      description = "Clients that may be connected (default: ${DEFAULT-VALUE}).")
  private int connections;

  @Option(
      names = "--split",
      converter = PoolStartCommand.MemorySize.class,
      defaultValue = "1g",
      paramLabel = "SIZE",
      description = "Largest split of a plan (default: ${DEFAULT-VALUE}).")
  private long split;

  @Option(
      names = "--deadline-ms",
      defaultValue = "600000",
      paramLabel = "MS",
      description = "How long a plan may take (default: ${DEFAULT-VALUE}).")
  private long deadlineMillis;

  @Option(
      names = "--patience-ms",
      defaultValue = "60000",
      paramLabel = "MS",
      description = {
        "How long data node and clients may be silent, and a request may take (default:",
        "${DEFAULT-VALUE})."
      })
  private long patienceMillis;

  @Option(
      names = "--work",
      paramLabel = "DIRECTORY",
      description = {
        "Where plans keep their files, in a new directory that goes with the proxy; the next one",
        "deletes those of proxies that were killed (default: where temporary files are)."
      })
  private Path work;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = {
        "A file with a secret that clients must have, beside what HDFS asks for. Without it",
        "everybody can run plans, so that the proxy listens on this machine alone."
      })
  private Path tokenFile;

  @Option(
      names = "--hadoop-conf-dir",
      paramLabel = "DIRECTORY",
      description = {
        "For https://: the directory with Hadoop's ssl-server.xml, which names the proxy's key, and",
        "ssl-client.xml, which names the certificates by which the data node is known (default: the",
        "environment variable HADOOP_CONF_DIR)."
      })
  private Path hadoopConfDir;

  @Override
  public Integer call() throws IOException, InterruptedException {
    InetSocketAddress own = address("--listen", listen);
    if (tokenFile == null && !own.getAddress().isLoopbackAddress()) {
      throw wrong(
          "--listen="
              + listen
              + " can be reached from other machines. Give a --token-file, or listen on"
              + " 127.0.0.1.",
          null);
    }
    ProxyOptions options =
        new ProxyOptions(
            address("--datanode", dataNode),
            own,
            new ProxyOptions.Limits(
                cores,
                memory,
                queue,
                connections,
                split,
                Duration.ofMillis(deadlineMillis),
                Duration.ofMillis(patienceMillis)),
            workDirectory(work),
            secret(),
            tls());
    try (NdpProxy proxy = start(options)) {
      System.err.println(
          "anemone: proxy "
              + proxy.address().getHostString()
              + ":"
              + proxy.address().getPort()
              + " beside data node "
              + proxy.status().dataNode().host()
              + ":"
              + proxy.status().dataNode().dataPort()
              + " runs "
              + cores
              + " plans at a time");
      proxy.awaitStop();
    }
    return 0;
  }

  private Optional<SharedSecret> secret() {
    if (tokenFile == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(SharedSecret.read(tokenFile));
    } catch (IOException e) {
      throw wrong(
          "--token-file="
              + tokenFile
              + " cannot be read. Give a file that this user may read, with some random text.",
          e);
    }
  }

  private ProxyTls tls() throws IOException {
    boolean clients = isHttps(listen);
    boolean toDataNode = isHttps(dataNode);
    if (!clients && !toDataNode) {
      return ProxyTls.NONE;
    }
    Path directory = configuration();
    try {
      return new ProxyTls(
          clients ? Optional.of(HadoopTls.server(directory)) : Optional.empty(),
          toDataNode ? Optional.of(HadoopTls.client(directory)) : Optional.empty());
    } catch (IOException e) {
      throw wrong("For https://, " + e.getMessage() + ".", e);
    }
  }

  private Path configuration() {
    Path given =
        hadoopConfDir == null && System.getenv(CONFIGURATION) != null
            ? Path.of(System.getenv(CONFIGURATION))
            : hadoopConfDir;
    if (given == null || !Files.isDirectory(given)) {
      throw wrong(
          "For https:// a proxy needs --hadoop-conf-dir=DIRECTORY, with the ssl-server.xml and the"
              + " ssl-client.xml of Hadoop"
              + (given == null ? "." : "; there is no directory " + given + "."),
          null);
    }
    return given;
  }

  private static boolean isHttps(String address) {
    return address.startsWith(HTTPS);
  }

  /** The message says all that there is to say. */
  private static NdpProxy start(ProxyOptions options) {
    try {
      return NdpProxy.start(options);
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * A directory of this process; what proxies that were killed have left beside it is deleted.
   *
   * @param given where it is made; null for where temporary files are
   */
  static Path workDirectory(Path given) throws IOException {
    Path parent = given == null ? Path.of(System.getProperty("java.io.tmpdir")) : given;
    if (!Files.isDirectory(parent)) {
      throw new IllegalArgumentException(
          "--work=" + parent + " is no directory. Give one that is there.");
    }
    return ProcessDirectories.create(parent, "anemone-ndp-");
  }

  private InetSocketAddress address(String option, String text) {
    String place = isHttps(text) ? text.substring(HTTPS.length()) : text;
    int colon = place.lastIndexOf(':');
    try {
      int port = Integer.parseInt(place.substring(colon + 1));
      if (colon > 0 && place.indexOf('/') < 0 && port >= 0 && port <= LARGEST_PORT) {
        InetSocketAddress address = new InetSocketAddress(place.substring(0, colon), port);
        if (address.isUnresolved()) {
          throw wrong(option + "=" + text + ": there is no host " + address.getHostString(), null);
        }
        return address;
      }
    } catch (NumberFormatException notAPort) {
      throw noAddress(option, text, notAPort);
    }
    throw noAddress(option, text, null);
  }

  private ParameterException noAddress(String option, String text, Exception cause) {
    return wrong(
        option + "=" + text + " is no address. Give HOST:PORT or https://HOST:PORT.", cause);
  }

  private ParameterException wrong(String message, Exception cause) {
    return new ParameterException(command.commandLine(), message, cause);
  }
}
