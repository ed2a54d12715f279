// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.neardata;

import dev.anemone.evaluation.lab.hdfs.EvenCopy;
import dev.anemone.evaluation.lab.hdfs.MiniHdfs;
import dev.anemone.evaluation.lab.process.LineProcess;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * HDFS without its data nodes, which are {@link DataNodeProgram}s. Says {@code started} and the
 * configuration's directory, and when the data nodes have joined and the tables are on them {@code
 * tables} and their address. Ends with its standard input.
 */
public final class NameNodeProgram {
  static final String STARTED = "started";
  static final String TABLES = "tables";

  private static final String DIRECTORY = "/tpch";
  private static final Duration TIME_TO_JOIN = Duration.ofMinutes(1);

  private NameNodeProgram() {}

  /** Arguments: a directory of its own, data nodes, bytes of a block, the tables' directory. */
  public static void main(String[] args) throws IOException {
    try (MiniHdfs hdfs =
        MiniHdfs.start(Path.of(args[0]), 0, Long.parseLong(args[2]), EvenCopy.SETTINGS)) {
      System.out.println(STARTED + " " + hdfs.configurationDirectory());
      hdfs.cluster().awaitDataNodes(Integer.parseInt(args[1]), TIME_TO_JOIN);
      copy(Path.of(args[3]), EvenCopy.to((DistributedFileSystem) hdfs.files()));
      System.out.println(TABLES + " " + hdfs.files().getUri() + DIRECTORY);
      LineProcess.awaitEndOfOrders();
    }
  }

  private static void copy(Path tables, EvenCopy copy) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(tables)) {
      for (Path file : all) {
        copy.copy(file, DIRECTORY + "/" + file.getFileName());
      }
    }
  }
}
