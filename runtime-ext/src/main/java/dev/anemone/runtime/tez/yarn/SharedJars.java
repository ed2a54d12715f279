// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Puts class paths on a cluster's default file system, where later jobs of the same user, from
 * whatever machine, find them again: each jar lies in a directory that is named by its content, so
 * that it is sent once, and machines that have it keep it. The idea is that of YARN's shared cache,
 * without its service. Thread-safe.
 */
public final class SharedJars {

  private static final String BASE = ".anemone";
  private static final String JARS = "jars";
  private static final int UPLOADS_AT_ONCE = 4;

  /** What MapReduce calls it; many machines are to read the same files at the same time. */
  private static final String REPLICATION = "mapreduce.client.submit.file.replication";

  private static final int DEFAULT_REPLICATION = 10;

  private final Configuration configuration;
  private final Path base;
  private final short replication;
  private final java.nio.file.Path temporary;

  private SharedJars(
      Configuration configuration, Path base, short replication, java.nio.file.Path temporary) {
    this.configuration = configuration;
    this.base = base;
    this.replication = replication;
    this.temporary = temporary;
  }

  /** Jars in {@code .anemone} in the user's home directory on the cluster; else as {@link #at}. */
  public static SharedJars atHome(
      Configuration configuration, int nodes, java.nio.file.Path temporary) {
    return at(configuration, new Path(BASE), nodes, temporary);
  }

  /**
   * Jars below a directory on the cluster, which is made when it is needed.
   *
   * @param base what is not absolute is below the user's home directory
   * @param nodes how many the cluster has; there are not more replicas of a jar
   * @param temporary local directory, which is there, for jars that are made of directories
   */
  public static SharedJars at(
      Configuration configuration, Path base, int nodes, java.nio.file.Path temporary) {
    int wanted = configuration.getInt(REPLICATION, DEFAULT_REPLICATION);
    return new SharedJars(
        configuration, base, (short) Math.max(1, Math.min(wanted, nodes)), temporary);
  }

  /**
   * Sends what the cluster does not have yet. Directories become jars.
   *
   * @param classPath jars and directories, of which the first come first
   * @param deadline how long that may take
   * @throws IOException when something cannot be read or sent, or takes longer
   */
  public ShippedClassPath ship(List<java.nio.file.Path> classPath, Duration deadline)
      throws IOException {
    List<java.nio.file.Path> made = new ArrayList<>();
    try (BoundedCalls calls = new BoundedCalls("anemone-upload", UPLOADS_AT_ONCE, deadline)) {
      List<Parcel.Jar> jars = jars(classPath, made, calls);
      FileSystem fileSystem = calls.call(() -> FileSystem.newInstance(configuration));
      try (fileSystem) {
        JarDirectory directory = directory(fileSystem);
        create(directory, calls);
        Shipment shipment = Shipment.of(jars);
        List<Callable<JarDirectory.Placed>> uploads = new ArrayList<>();
        for (Parcel parcel : shipment.parcels().values()) {
          uploads.add(() -> directory.put(parcel));
        }
        return shipment.shipped(calls.all(uploads));
      }
    } catch (TimeoutException e) {
      throw new IOException(
          "the class path of the job could not be put into "
              + base
              + " on "
              + FileSystem.getDefaultUri(configuration)
              + " within "
              + deadline.toSeconds()
              + " s ("
              + e.getMessage()
              + " calls ended in time)",
          e);
    } finally {
      for (java.nio.file.Path jar : made) {
        Files.deleteIfExists(jar);
      }
    }
  }

  /**
   * Deletes what no job has used for so long, at least two days. May be called at every job: within
   * a day of the last time it does nothing.
   *
   * @return how many jars were deleted
   * @throws IOException when the cluster does not let it, or takes longer than the deadline
   */
  public int deleteUnused(Duration olderThan, Duration deadline) throws IOException {
    try (BoundedCalls calls = new BoundedCalls("anemone-sweep", 1, deadline)) {
      return calls.call(
          () -> {
            try (FileSystem fileSystem = FileSystem.newInstance(configuration)) {
              return directory(fileSystem).deleteUnused(olderThan);
            }
          });
    } catch (TimeoutException e) {
      throw new IOException(
          "unused jars in "
              + base
              + " on "
              + FileSystem.getDefaultUri(configuration)
              + " could not be deleted within "
              + deadline.toSeconds()
              + " s",
          e);
    }
  }

  private JarDirectory directory(FileSystem fileSystem) {
    Path absolute = new Path(fileSystem.getHomeDirectory(), base);
    return new JarDirectory(fileSystem, new Path(absolute, JARS), replication);
  }

  private void create(JarDirectory directory, BoundedCalls calls)
      throws IOException, TimeoutException {
    try {
      calls.call(
          () -> {
            directory.create();
            return true;
          });
    } catch (IOException e) {
      throw new IOException(
          "cannot make the directory "
              + base
              + " for jars on "
              + FileSystem.getDefaultUri(configuration)
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /** Jars with the same content are needed once. */
  private List<Parcel.Jar> jars(
      List<java.nio.file.Path> classPath, List<java.nio.file.Path> made, BoundedCalls calls)
      throws IOException, TimeoutException {
    List<Callable<Parcel.Jar>> readings = new ArrayList<>();
    for (java.nio.file.Path entry : classPath) {
      if (Files.isDirectory(entry)) {
        java.nio.file.Path jar = Files.createTempFile(temporary, "classes-", ".jar");
        made.add(jar);
        readings.add(
            () -> {
              DirectoryJar.write(entry, jar);
              return new Parcel.Jar(jar, fileName(entry), ContentDigest.read(jar));
            });
      } else {
        readings.add(() -> new Parcel.Jar(entry, fileName(entry), ContentDigest.of(entry)));
      }
    }
    Set<String> contents = new HashSet<>();
    return calls.all(readings).stream().filter(jar -> contents.add(jar.digest().sha256())).toList();
  }

  /** Only characters that mean nothing to a shell, a class path or HDFS. */
  private static String fileName(java.nio.file.Path entry) {
    java.nio.file.Path last = entry.toAbsolutePath().normalize().getFileName();
    String name = (last == null ? "root" : last.toString()).replaceAll("[^A-Za-z0-9._-]", "_");
    return name.endsWith(".jar") ? name : name + ".jar";
  }
}
