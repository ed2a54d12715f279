// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.fetch.BlockCopies;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.apache.tez.common.TezCommonUtils;
import org.apache.tez.common.security.JobTokenIdentifier;
import org.apache.tez.common.security.JobTokenSecretManager;

/**
 * A node with two local directories, an application that has blocks there, and YARN's shuffle
 * handler, set up as a node manager does it.
 */
final class TestNode implements AutoCloseable {

  static final ApplicationId APPLICATION = ApplicationId.newInstance(1_700_000_000_000L, 7);

  private static final int DAG = 3;
  private static final String LOCAL_DIRS = "anemone.test.local.dirs";
  private static final String HOST = "127.0.0.1";

  private static final String TEZ_PORT = "tez.shuffle.port";

  private final ServedJob job;
  private final AuxiliaryService handler;
  private final String portSetting;
  private final ByteBuffer token;
  private final List<Path> directories;
  private final ApplicationDirectories blocks;

  /** The handler, which can be made to believe that it listens at another port. */
  private static final class Handler extends ShuffleHandler {

    private ShuffleChannelHandlerContext context;

    @Override
    protected ShuffleChannelHandlerContext createHandlerContext() {
      context = super.createHandlerContext();
      return context;
    }
  }

  /** Looks for files in the local directories, as a node manager does. */
  private record LocalPaths(LocalDirAllocator allocator, Configuration configuration)
      implements AuxiliaryLocalPathHandler {

    @Override
    public org.apache.hadoop.fs.Path getLocalPathForRead(String path) throws IOException {
      return allocator.getLocalPathToRead(path, configuration);
    }

    @Override
    public org.apache.hadoop.fs.Path getLocalPathForWrite(String path) throws IOException {
      return allocator.getLocalPathForWrite(path, configuration);
    }

    @Override
    public org.apache.hadoop.fs.Path getLocalPathForWrite(String path, long size)
        throws IOException {
      return allocator.getLocalPathForWrite(path, size, configuration);
    }

    @Override
    public Iterable<org.apache.hadoop.fs.Path> getAllLocalPathsForRead(String path)
        throws IOException {
      return allocator.getAllLocalPathsToRead(path, configuration);
    }
  }

  private TestNode(
      Path root, Map<String, String> settings, HandlerKind kind, AuxiliaryService handler)
      throws IOException {
    this.job = new ServedJob(kind, APPLICATION, DAG);
    this.handler = handler;
    this.portSetting = kind == HandlerKind.TEZ ? TEZ_PORT : ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY;
    DefaultMetricsSystem.setMiniClusterMode(true);
    String user = System.getProperty("user.name");
    List<Path> localDirs = List.of(root.resolve("disk1"), root.resolve("disk2"));
    Configuration configuration = new Configuration(false);
    configuration.set(LOCAL_DIRS, localDirs.get(0) + "," + localDirs.get(1));
    configuration.setInt(portSetting, 0);
    settings.forEach(configuration::set);
    directories =
        localDirs.stream()
            .map(disk -> disk.resolve("usercache/" + user + "/appcache/" + APPLICATION))
            .toList();
    for (Path directory : directories) {
      Files.createDirectories(directory);
    }
    blocks = new ApplicationDirectories(directories, job);
    token = newToken();
    handler.setAuxiliaryLocalPathHandler(
        new LocalPaths(new LocalDirAllocator(LOCAL_DIRS), configuration));
    handler.init(configuration);
    handler.start();
    handler.initializeApplication(
        new ApplicationInitializationContext(user, APPLICATION, token.duplicate()));
  }

  /** A node whose disks are directories below {@code root}. */
  static TestNode start(Path root) throws IOException {
    return start(root, Map.of());
  }

  /** A node with settings of the handler. */
  static TestNode start(Path root, Map<String, String> settings) throws IOException {
    return new TestNode(root, settings, HandlerKind.MAPREDUCE, new Handler());
  }

  /** A node with Tez's handler, which is in no repository of artifacts. */
  static TestNode startWithTez(Path root, AuxiliaryService handler) throws IOException {
    return new TestNode(root, Map.of(), HandlerKind.TEZ, handler);
  }

  /** A job token, as an application master of Tez makes it. */
  static ByteBuffer newToken() throws IOException {
    JobTokenSecretManager secrets = new JobTokenSecretManager(new Configuration(false));
    return TezCommonUtils.convertJobTokenToBytes(
        new Token<>(new JobTokenIdentifier(new Text(APPLICATION.toString())), secrets));
  }

  ServedJob job() {
    return job;
  }

  ApplicationDirectories blocks() {
    return blocks;
  }

  List<Path> directories() {
    return directories;
  }

  ByteBuffer token() {
    return token;
  }

  BlockLocation location() {
    return new BlockLocation(HOST, handler.getConfig().getInt(portSetting, 0));
  }

  /** A proxy before the handler; requests are to go there from now on. */
  TestProxy proxy(TestProxy.Meddling meddling) throws IOException {
    TestProxy proxy = new TestProxy(location(), meddling);
    ((Handler) handler).context.port = proxy.location().port();
    return proxy;
  }

  /** Requests are to go to the handler itself again. */
  void listenDirectly() {
    ((Handler) handler).context.port = location().port();
  }

  /** What another node sees of the application. */
  ShuffleHandlerBlocks seenFromAfar(BlockStore scratch, FetchSettings settings) {
    return new ShuffleHandlerBlocks(job, token, new BlockCopies(scratch), settings);
  }

  @Override
  public void close() throws IOException {
    handler.close();
  }
}
