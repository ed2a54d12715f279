// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn.security;

import dev.anemone.cluster.LocalCluster;
import dev.anemone.cluster.TlsFiles;
import dev.anemone.yarn.TestCluster;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.io.SecureIOUtils;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A cluster that wants Kerberos and HTTPS, with a key distribution centre of its own. The daemons,
 * in this JVM, are one principal, and a user is another.
 */
final class SecureCluster implements AutoCloseable {

  static final String USER = "alice";

  /** Others whom the key distribution centre knows. */
  static final String FRIEND = "carol";

  static final String STRANGER = "bob";

  private static final String DAEMONS = "anemone/localhost";
  private static final String WEB = "HTTP/localhost";

  /** Links to the pages of applications have the address. */
  private static final String WEB_OF_ADDRESS = "HTTP/127.0.0.1";

  private static final int NODES = 2;
  private static final long PROGRAM_MINUTES = 5;
  private static final String KERBEROS_FILE = "java.security.krb5.conf";

  private final MiniKdc centre;
  private final File keys;
  private final File webSecret;
  private final File userKeys;
  private final LocalCluster cluster;
  private final FileSystem files;

  private SecureCluster(Path directory, boolean securePages) throws Exception {
    // Hadoop's native library, with which it looks whose a block is, is in no repository of
    // artifacts; where security is off when this class begins, it goes without.
    Class.forName(SecureIOUtils.class.getName());
    Properties properties = MiniKdc.createConf();
    centre = new MiniKdc(properties, Files.createDirectory(directory.resolve("kdc")).toFile());
    centre.start();
    keys = directory.resolve("daemons.keytab").toFile();
    centre.createPrincipal(keys, DAEMONS, WEB, WEB_OF_ADDRESS);
    userKeys = Files.createDirectory(directory.resolve("users")).toFile();
    for (String user : List.of(USER, FRIEND, STRANGER)) {
      centre.createPrincipal(key(user), user);
    }
    webSecret =
        Files.writeString(directory.resolve("web.secret"), "signs what browsers have shown")
            .toFile();

    Map<String, String> settings = settings();
    if (securePages) {
      settings.putAll(settingsOfPages());
    }
    Configuration secure = new Configuration();
    settings.forEach(secure::set);
    UserGroupInformation.setConfiguration(secure);
    UserGroupInformation.loginUserFromKeytab(principal(DAEMONS), keys.getPath());
    cluster =
        TlsFiles.create(directory.resolve("tls"))
            .start(
                new LocalCluster.Settings(
                    NODES,
                    directory.resolve("cluster"),
                    LocalCluster.Settings.DEFAULT_MEMORY_MB,
                    LocalCluster.Settings.DEFAULT_CORES,
                    settings));
    files = FileSystem.newInstance(configuration());
    org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path("/user/" + USER);
    files.mkdirs(home);
    files.setOwner(home, USER, USER);
  }

  /**
   * Starts a cluster.
   *
   * @param directory an empty directory for all files
   */
  static SecureCluster start(Path directory) throws Exception {
    return start(directory, false);
  }

  /** Starts one whose web pages want Kerberos, too, as Hadoop's documents say. */
  static SecureCluster startWithSecurePages(Path directory) throws Exception {
    return start(directory, true);
  }

  private static SecureCluster start(Path directory, boolean securePages) throws Exception {
    // Whether Hadoop is secure, a JVM decides once for all that run in it.
    TestCluster.stopShared();
    return new SecureCluster(directory, securePages);
  }

  private String principal(String name) {
    return name + "@" + centre.getRealm();
  }

  private Map<String, String> settings() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("hadoop.security.authentication", "kerberos");
    all.put("hadoop.security.authorization", "true");
    for (String daemon : new String[] {"dfs.namenode", "dfs.datanode"}) {
      all.put(daemon + ".kerberos.principal", principal(DAEMONS));
      all.put(daemon + ".keytab.file", keys.getPath());
    }
    for (String daemon : new String[] {"yarn.resourcemanager", "yarn.nodemanager"}) {
      all.put(daemon + ".principal", principal(DAEMONS));
      all.put(daemon + ".keytab", keys.getPath());
    }
    all.put("dfs.web.authentication.kerberos.principal", principal(WEB));
    all.put("dfs.web.authentication.kerberos.keytab", keys.getPath());
    all.put("dfs.block.access.token.enable", "true");
    all.put("ignore.secure.ports.for.testing", "true");
    all.put("yarn.resourcemanager.webapp.delegation-token-auth-filter.enabled", "false");
    all.put(
        "yarn.nodemanager.admin-env",
        "MALLOC_ARENA_MAX=2,JAVA_HOME="
            + System.getProperty("java.home")
            + ",JAVA_TOOL_OPTIONS=-D"
            + KERBEROS_FILE
            + "="
            + centre.getKrb5conf());
    return all;
  }

  private Map<String, String> settingsOfPages() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName());
    all.put("hadoop.http.authentication.type", "kerberos");
    all.put("hadoop.http.authentication.kerberos.principal", "*");
    all.put("hadoop.http.authentication.kerberos.keytab", keys.getPath());
    all.put("hadoop.http.authentication.signature.secret.file", webSecret.getPath());
    all.put("yarn.resourcemanager.webapp.delegation-token-auth-filter.enabled", "true");
    // Unless this is set everybody is an administrator, and may see everything.
    all.put("yarn.acl.enable", "true");
    all.put("yarn.admin.acl", DAEMONS.substring(0, DAEMONS.indexOf('/')));
    return all;
  }

  Configuration configuration() {
    Configuration configuration = new Configuration();
    for (String name : new String[] {"core-site.xml", "hdfs-site.xml", "yarn-site.xml"}) {
      configuration.addResource(
          new org.apache.hadoop.fs.Path(configurationDirectory().resolve(name).toUri()));
    }
    return configuration;
  }

  Path configurationDirectory() {
    return cluster.configurationDirectory();
  }

  /** The cluster's files, as the daemons see them. */
  FileSystem files() {
    return files;
  }

  /** Where WebHDFS of each data node is, by HTTPS. */
  List<InetSocketAddress> dataNodes() throws IOException {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (DatanodeInfo node : ((DistributedFileSystem) files).getDataNodeStats()) {
      addresses.add(new InetSocketAddress(node.getIpAddr(), node.getInfoSecurePort()));
    }
    return addresses;
  }

  private File key(String user) {
    return new File(userKeys, user + ".keytab");
  }

  /** What the web pages of the resource manager are. */
  String webPrincipal() {
    return principal(WEB_OF_ADDRESS);
  }

  /** Logs a user in. */
  UserGroupInformation login(String user) throws IOException {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
        principal(user), key(user).getPath());
  }

  /** With what {@link #USER}'s programs log in: the first of their arguments. */
  List<String> asTheUser() {
    return List.of(
        configurationDirectory().resolve("core-site.xml").toString(),
        principal(USER),
        key(USER).getPath());
  }

  /** A program that has ended, and what it said. */
  record Ended(int exitCode, String said) {}

  /**
   * Runs a program in a JVM of its own.
   *
   * @param directory for what it says
   */
  Ended run(Class<?> program, List<String> arguments, Path directory) throws Exception {
    File log = Files.createTempFile(directory, program.getSimpleName(), ".log").toFile();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-opens"))
        .forEach(command::add);
    command.add("-D" + KERBEROS_FILE + "=" + centre.getKrb5conf());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    try {
      if (!process.waitFor(PROGRAM_MINUTES, TimeUnit.MINUTES)) {
        throw new IllegalStateException(
            program + " has not ended, and says " + Files.readString(log.toPath()));
      }
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readString(log.toPath()));
  }

  @Override
  public void close() throws IOException {
    try (files) {
      cluster.close();
    } finally {
      centre.stop();
      System.clearProperty(KERBEROS_FILE);
      UserGroupInformation.reset();
    }
  }
}
