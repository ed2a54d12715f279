// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.anemone.cluster.LocalCluster;
import dev.anemone.runtime.tez.directory.HadoopJobDirectory;
import dev.anemone.runtime.tez.directory.MessageLog;
import dev.anemone.runtime.tez.directory.MessageReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What executors tell by files that grow is there at once, whatever becomes of them. */
class HdfsMessagesIT {
  private static final Path DIRECTORY = new Path("/messages");
  private static final String PREFIX = "report-";
  private static final Duration AT_ONCE = Duration.ofSeconds(5);

  private static final int READINGS = 5;

  private HadoopJobDirectory directory;

  @BeforeEach
  void create() throws Exception {
    directory = TestCluster.shared().jobDirectory(DIRECTORY);
    directory.create();
  }

  @AfterEach
  void delete() throws IOException {
    directory.delete();
  }

  private static byte[] bytes(String message) {
    return message.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> next(MessageReader reader) throws IOException {
    return reader.next().stream()
        .map(message -> new String(message, StandardCharsets.UTF_8))
        .toList();
  }

  @Test
  void messagesOfALogThatIsNotClosedAreInOneFileAndAreRead() throws IOException {
    MessageReader reader = new MessageReader(directory, PREFIX);
    try (MessageLog log = directory.log(PREFIX)) {
      assertThat(next(reader)).isEmpty();
      for (int i = 0; i < 100; i++) {
        log.append(bytes("message " + i));
        assertThat(next(reader)).containsExactly("message " + i);
      }
      assertThat(directory.list(PREFIX)).hasSize(1);
    }
    assertThat(new MessageReader(directory, PREFIX).next()).hasSize(100);
  }

  /** Tez interrupts attempts that others were faster than. */
  @Test
  void whoIsInterruptedDoesNotEndTheLogForOthers() throws IOException {
    try (MessageLog log = directory.log(PREFIX)) {
      log.append(bytes("before"));
      boolean written = true;
      Thread.currentThread().interrupt();
      try {
        log.append(bytes("interrupted"));
      } catch (IOException e) {
        written = false;
      }
      Thread.interrupted();
      log.append(bytes("after"));
      List<String> read = next(new MessageReader(directory, PREFIX));
      assertThat(read).contains("before", "after");
      assertThat(written && !read.contains("interrupted")).isFalse();
    }
  }

  /** A client of HDFS tries for ten seconds to connect to a data node that has ended. */
  @Test
  void theLogOfALostNodeIsReadAtOnce() throws Exception {
    LocalCluster cluster = TestCluster.running().cluster();
    String host = writeAbandonedLog("report");
    int node = 0;
    while (!cluster.addresses().get(node).orElseThrow().host().equals(host)) {
      node++;
    }
    cluster.stopNode(node);
    try {
      for (int i = 0; i < READINGS; i++) {
        MessageReader reader = new MessageReader(directory, PREFIX);
        assertThat(assertTimeout(AT_ONCE, () -> next(reader))).containsExactly("report");
      }
    } finally {
      cluster.startNode(node);
      cluster.awaitNodes(Duration.ofMinutes(1));
    }
  }

  /**
   * Writes a log as of an executor that has gone, and tells HDFS nothing any more.
   *
   * @return the host of the data node that readers ask first
   */
  private static String writeAbandonedLog(String message) throws IOException {
    try (DistributedFileSystem files =
        (DistributedFileSystem) TestCluster.running().newFileSystem()) {
      Path log = new Path(DIRECTORY, PREFIX + "abandoned");
      FSDataOutputStream out = files.create(log);
      out.writeInt(message.length());
      out.write(bytes(message));
      out.hflush();
      files.getClient().closeAllFilesBeingWritten(true);
      LocatedBlock last =
          files.getClient().getLocatedBlocks(log.toString(), 0).getLastLocatedBlock();
      return last.getLocations()[0].getHostName();
    }
  }

  @Test
  void aLogWhoseJobHasEndedCloses() throws IOException {
    MessageLog log = directory.log(PREFIX);
    log.append(bytes("report"));
    directory.delete();
    log.close();
    assertThat(directory.exists()).isFalse();
  }
}
