// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.hdfs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * Keys and certificates of a Hadoop cluster, as its {@code ssl-server.xml} and {@code
 * ssl-client.xml} name them. Hadoop reads the stores, with passwords of its credential providers,
 * and reads them again when they change.
 */
public final class HadoopTls {

  private static final List<String> CLUSTER_FILES = List.of("core-site.xml", "hdfs-site.xml");

  private HadoopTls() {}

  /**
   * Makes the server's end of connections, with the key of {@code ssl-server.xml}.
   *
   * @param directory the cluster's configuration
   * @throws IOException when there is no such file, or the key cannot be read
   */
  public static Supplier<SSLEngine> server(Path directory) throws IOException {
    SSLFactory factory = factory(SSLFactory.Mode.SERVER, directory);
    return () -> {
      try {
        return factory.createSSLEngine();
      } catch (GeneralSecurityException | IOException e) {
        throw new IllegalStateException("no connection can be encrypted", e);
      }
    };
  }

  /**
   * For connections to servers of the cluster: checks their certificates by the store of {@code
   * ssl-client.xml}, and shows the client's own where that names one.
   *
   * @param directory the cluster's configuration
   * @throws IOException when there is no such file, or a store cannot be read
   */
  public static SSLContext client(Path directory) throws IOException {
    SSLFactory factory = factory(SSLFactory.Mode.CLIENT, directory);
    try {
      return context(
          factory.getKeystoresFactory().getKeyManagers(),
          factory.getKeystoresFactory().getTrustManagers());
    } catch (GeneralSecurityException e) {
      throw new IOException("the stores that ssl-client.xml names cannot be used", e);
    }
  }

  /**
   * The certificates that {@code ssl-client.xml} trusts.
   *
   * @param directory the cluster's configuration
   * @return none when it has no such file: then those are meant that Java trusts
   * @throws IOException when the store cannot be read
   */
  public static List<X509Certificate> trusted(Path directory) throws IOException {
    Configuration configuration = configuration(directory);
    if (!Files.exists(file(directory, configuration, SSLFactory.Mode.CLIENT))) {
      return List.of();
    }
    SSLFactory factory = factory(SSLFactory.Mode.CLIENT, directory);
    List<X509Certificate> trusted = new ArrayList<>();
    for (TrustManager manager : factory.getKeystoresFactory().getTrustManagers()) {
      if (manager instanceof X509TrustManager certificates) {
        trusted.addAll(List.of(certificates.getAcceptedIssuers()));
      }
    }
    factory.destroy();
    return trusted;
  }

  /**
   * For connections to servers that prove by one of some certificates who they are.
   *
   * @param trusted none for those that Java trusts
   */
  public static SSLContext trusting(List<X509Certificate> trusted) {
    try {
      if (trusted.isEmpty()) {
        return SSLContext.getDefault();
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (int i = 0; i < trusted.size(); i++) {
        store.setCertificateEntry(Integer.toString(i), trusted.get(i));
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      return context(null, managers.getTrustManagers());
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("certificates cannot be checked", e);
    }
  }

  private static SSLContext context(KeyManager[] keys, TrustManager[] trust)
      throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trust, null);
    return context;
  }

  private static Configuration configuration(Path directory) {
    Configuration configuration = new Configuration();
    for (String name : CLUSTER_FILES) {
      if (Files.exists(directory.resolve(name))) {
        configuration.addResource(new org.apache.hadoop.fs.Path(directory.resolve(name).toUri()));
      }
    }
    return configuration;
  }

  private static String key(SSLFactory.Mode mode) {
    return mode == SSLFactory.Mode.CLIENT
        ? SSLFactory.SSL_CLIENT_CONF_KEY
        : SSLFactory.SSL_SERVER_CONF_KEY;
  }

  private static Path file(Path directory, Configuration configuration, SSLFactory.Mode mode) {
    return directory.resolve(
        configuration.get(
            key(mode),
            mode == SSLFactory.Mode.CLIENT
                ? SSLFactory.SSL_CLIENT_CONF_DEFAULT
                : SSLFactory.SSL_SERVER_CONF_DEFAULT));
  }

  private static SSLFactory factory(SSLFactory.Mode mode, Path directory) throws IOException {
    Configuration configuration = configuration(directory);
    Path file = file(directory, configuration, mode);
    if (!Files.exists(file)) {
      throw new IOException(
          file + " is not there; it names the store of keys or certificates, as for Hadoop itself");
    }
    configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    // Hadoop looks for that name on the class path, does not find it, and takes what is here.
    configuration.set(key(mode), file.toUri().toString());
    try {
      SSLFactory factory = new SSLFactory(mode, configuration);
      factory.init();
      return factory;
    } catch (GeneralSecurityException | IOException | RuntimeException e) {
      throw new IOException(
          "the stores that " + file + " names cannot be used: " + e.getMessage(), e);
    }
  }
}
