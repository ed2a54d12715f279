// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.hdfs;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.sdk.io.hdfs.HadoopFileSystemOptions;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who the user of a job is to HDFS, for others who read in the user's name. On a cluster with
 * Kerberos that takes a delegation token: a task on YARN carries the one that its job was given; a
 * process that has logged in itself gets one for each name node, another one well before that one
 * ends, and gives all of them back when this is closed. Thread-safe.
 */
public final class HdfsCallers implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(HdfsCallers.class);

  private static final Text KIND = new Text("HDFS_DELEGATION_TOKEN");

  /** Of services of several name nodes, which have a name and no port. */
  private static final String LOGICAL_SERVICE = "ha-hdfs:";

  /** A token is used for this part of the time that it is good for. */
  private static final double USED_SHARE = 0.5;

  private final Configuration configuration;
  private final Map<String, Own> current = new HashMap<>();
  private final List<Own> all = new ArrayList<>();
  private boolean closed;

  /**
   * A token that this process has asked for.
   *
   * @param owner who it is for
   * @param until ms since 1970 when another one takes its place
   */
  private record Own(Token<?> token, UserGroupInformation owner, long until) {}

  private HdfsCallers(Configuration configuration) {
    this.configuration = configuration;
  }

  /**
   * For the clusters of a pipeline.
   *
   * @param options with the configuration of the file systems
   */
  public static HdfsCallers of(PipelineOptions options) {
    List<Configuration> configurations =
        options.as(HadoopFileSystemOptions.class).getHdfsConfiguration();
    return new HdfsCallers(
        configurations == null || configurations.size() != 1
            ? new Configuration()
            : configurations.get(0));
  }

  /** Whether callers are known by delegation tokens, and not by their names. */
  public static boolean needTokens() {
    return UserGroupInformation.isSecurityEnabled();
  }

  /**
   * As whom the current user reads a file.
   *
   * @param file with the name node as its authority
   * @throws IOException when the user has no token, and gets none
   */
  public HdfsCaller of(URI file) throws IOException {
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    if (!needTokens()) {
      return new HdfsCaller(
          file.getAuthority(), Optional.of(user.getShortUserName()), Optional.empty());
    }
    FileSystem files = FileSystem.get(file, configuration);
    String service = files.getCanonicalServiceName();
    Optional<Token<?>> carried = carried(user, service);
    Token<?> token = carried.isPresent() ? carried.get() : own(files, service, user);
    return new HdfsCaller(
        nameNode(file, service), Optional.empty(), Optional.of(token.encodeToUrlString()));
  }

  /** Data nodes want a port. */
  private static String nameNode(URI file, String service) {
    return file.getPort() >= 0 || service.startsWith(LOGICAL_SERVICE)
        ? file.getAuthority()
        : file.getAuthority() + service.substring(service.lastIndexOf(':'));
  }

  private Optional<Token<?>> carried(UserGroupInformation user, String service) {
    for (Token<?> token : user.getTokens()) {
      if (token.getKind().equals(KIND) && token.getService().toString().equals(service)) {
        return Optional.of(token);
      }
    }
    return Optional.empty();
  }

  private synchronized Token<?> own(FileSystem files, String service, UserGroupInformation user)
      throws IOException {
    if (closed) {
      throw new IOException("the job has ended, and gets no token for " + service + " any more");
    }
    String key = user.getUserName() + "@" + service;
    Own known = current.get(key);
    if (known != null && System.currentTimeMillis() < known.until()) {
      return known.token();
    }
    Token<?> token = files.getDelegationToken(user.getShortUserName());
    if (token == null) {
      throw new IOException(service + " gives user " + user.getUserName() + " no delegation token");
    }
    all.add(new Own(token, user, 0));
    long now = System.currentTimeMillis();
    Own fresh = new Own(token, user, now + (long) (USED_SHARE * (end(token) - now)));
    current.put(key, fresh);
    LOG.info("Got a delegation token of {} for {}", service, user.getUserName());
    return token;
  }

  /** A name node tells the end of a token only to who renews it. */
  private long end(Token<?> token) throws IOException {
    try {
      return token.renew(configuration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a delegation token was renewed", e);
    }
  }

  /** Gives back the tokens that were asked for. One that cannot be ends by itself. */
  @Override
  public void close() {
    List<Own> given;
    synchronized (this) {
      closed = true;
      given = List.copyOf(all);
      all.clear();
      current.clear();
    }
    for (Own own : given) {
      try {
        own.owner()
            .doAs(
                (PrivilegedExceptionAction<Void>)
                    () -> {
                      own.token().cancel(configuration);
                      return null;
                    });
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        LOG.warn("Delegation tokens were not cancelled, and end by themselves", e);
        return;
      } catch (IOException e) {
        LOG.warn("A delegation token was not cancelled, and ends by itself", e);
      }
    }
  }
}
