// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * A key for HTTPS on loopback addresses, the certificate by which it is known, and Hadoop's files
 * that name both: {@code ssl-server.xml} and {@code ssl-client.xml}. Nobody else knows the
 * certificate. Immutable.
 *
 * @param directory where all of it is
 */
public record TlsFiles(Path directory) {

  private static final String PASSWORD = "of-a-local-cluster";
  private static final String SERVER = "ssl-server.xml";
  private static final String CLIENT = "ssl-client.xml";
  private static final String ANY_PORT = DaemonConfiguration.MASTER_HOST + ":0";
  private static final long KEYTOOL_SECONDS = 60;

  /**
   * Makes a key for this machine.
   *
   * @param directory created, when it is not there
   */
  public static TlsFiles create(Path directory) throws IOException, InterruptedException {
    return create(directory, "DNS:localhost,IP:" + DaemonConfiguration.MASTER_HOST);
  }

  /**
   * Makes a key.
   *
   * @param directory created, when it is not there
   * @param names whose key it is, as the {@code SAN} of keytool
   */
  public static TlsFiles create(Path directory, String names)
      throws IOException, InterruptedException {
    TlsFiles files = new TlsFiles(Files.createDirectories(directory).toAbsolutePath());
    String keys = files.path("keys.p12");
    String certificate = files.certificate().toString();
    String trusted = files.path("trusted.p12");
    keytool(
        List.of("-genkeypair", "-alias", "daemons", "-keyalg", "EC", "-groupname", "secp256r1"),
        List.of("-dname", "CN=localhost", "-ext", "SAN=" + names),
        List.of("-validity", "2", "-storetype", "PKCS12", "-keystore", keys));
    keytool(
        List.of("-exportcert", "-rfc", "-alias", "daemons", "-file", certificate),
        List.of("-keystore", keys));
    keytool(
        List.of("-importcert", "-noprompt", "-alias", "daemons", "-file", certificate),
        List.of("-storetype", "PKCS12", "-keystore", trusted));
    files.write(
        SERVER,
        Map.of(
            "ssl.server.keystore.type", "PKCS12",
            "ssl.server.keystore.location", keys,
            "ssl.server.keystore.password", PASSWORD,
            "ssl.server.keystore.keypassword", PASSWORD,
            "ssl.server.truststore.type", "PKCS12",
            "ssl.server.truststore.location", trusted,
            "ssl.server.truststore.password", PASSWORD));
    files.write(
        CLIENT,
        Map.of(
            "ssl.client.truststore.type", "PKCS12",
            "ssl.client.truststore.location", trusted,
            "ssl.client.truststore.password", PASSWORD));
    return files;
  }

  @SafeVarargs
  private static void keytool(List<String>... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    for (List<String> some : arguments) {
      command.addAll(some);
    }
    command.addAll(List.of("-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("keytool made no key: " + said);
    }
  }

  /** The certificate, as PEM. */
  public Path certificate() {
    return directory.resolve("certificate.pem");
  }

  private void write(String name, Map<String, String> settings) throws IOException {
    Configuration file = new Configuration(false);
    settings.forEach((key, value) -> file.set(key, value, "local cluster"));
    try (OutputStream out = Files.newOutputStream(directory.resolve(name))) {
      file.writeXml(out);
    }
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  /**
   * Starts a cluster whose HDFS has no web server but of HTTPS. Its configuration directory has the
   * files of this one, too.
   */
  public LocalCluster start(LocalCluster.Settings settings) throws IOException {
    Map<String, String> hadoop = new HashMap<>(settings.hadoop());
    hadoop.put("dfs.http.policy", "HTTPS_ONLY");
    hadoop.put("dfs.namenode.https-address", ANY_PORT);
    hadoop.put("dfs.datanode.https.address", ANY_PORT);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // Hadoop finds these files on the class path only, and that of the daemons' threads is this.
    thread.setContextClassLoader(new URLClassLoader(new URL[] {directory.toUri().toURL()}, before));
    try {
      LocalCluster cluster =
          LocalCluster.start(
              new LocalCluster.Settings(
                  settings.nodes(),
                  settings.directory(),
                  settings.memoryMb(),
                  settings.cores(),
                  hadoop));
      for (String name : List.of(SERVER, CLIENT)) {
        Files.copy(directory.resolve(name), cluster.configurationDirectory().resolve(name));
      }
      return cluster;
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
