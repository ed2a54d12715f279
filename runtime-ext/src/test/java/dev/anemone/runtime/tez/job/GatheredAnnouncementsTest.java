// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.tez.directory.LocalJobDirectory;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatheredAnnouncementsTest {

  @TempDir private Path root;
  private final SharedObjects objects = new SharedObjects("job");
  private Path directory;

  @BeforeEach
  void create() throws IOException {
    directory = root.resolve("job");
    new LocalJobDirectory(directory).create();
  }

  @AfterEach
  void close() throws Exception {
    objects.close();
  }

  private JobFiles files() throws IOException {
    return JobFiles.of(directory.toUri().toString());
  }

  private static BlockAnnouncement announcement(int task) {
    BitSet partitions = new BitSet();
    partitions.set(0, 10_000);
    return BlockAnnouncement.ofBlock(
        new Producer(task, task % 3),
        new BlockId("job/output/attempt_1700000000000_0001_1_00_00" + task + "_0_10003"),
        DataStore.LOCAL_FILE,
        Optional.of(new BlockLocation("node-" + task % 300 + ".example.org", 13_562)),
        partitions,
        true,
        task * 0x9e3779b97f4a7c15L);
  }

  private static List<GatheredAnnouncements.Entry> entries(int tasks) {
    return IntStream.range(0, tasks)
        .mapToObj(
            task -> {
              ByteBuffer buffer = announcement(task).toBytes();
              byte[] bytes = new byte[buffer.remaining()];
              buffer.get(bytes);
              return new GatheredAnnouncements.Entry(task, task % 3, bytes);
            })
        .toList();
  }

  private void assertThatAllIsReadAgain(int tasks, GatheredAnnouncements gathered)
      throws Exception {
    List<GatheredAnnouncements.Entry> read = gathered.load(objects, files());
    assertThat(read)
        .extracting(GatheredAnnouncements.Entry::read)
        .containsExactlyElementsOf(
            IntStream.range(0, tasks).mapToObj(GatheredAnnouncementsTest::announcement).toList());
    assertThat(read).allMatch(entry -> entry.attempt() == entry.task() % 3);
  }

  @Test
  void whatFewProducersAnnounceIsInTheMessage() throws Exception {
    GatheredAnnouncements gathered = GatheredAnnouncements.store("read", entries(8), files());
    assertThat(gathered.file()).isEmpty();
    assertThatAllIsReadAgain(8, gathered);
  }

  @Test
  void whatManyProducersAnnounceIsInAFileThatIsReadOnce() throws Exception {
    GatheredAnnouncements gathered = GatheredAnnouncements.store("read", entries(10_000), files());
    assertThat(PlanCodec.writeCompressed(gathered)).hasSizeLessThan(150);
    assertThatAllIsReadAgain(10_000, gathered);
    new LocalJobDirectory(directory).delete();
    List<GatheredAnnouncements.Entry> once = gathered.load(objects, files());
    assertThat(once).hasSize(10_000);
    assertThat(gathered.load(objects, files())).as("nor inflated for each task").isSameAs(once);
  }

  @Test
  void aFileThatIsNotThereIsNotTakenForNothing() throws Exception {
    GatheredAnnouncements gathered = GatheredAnnouncements.store("read", entries(1_000), files());
    new LocalJobDirectory(directory).delete();
    assertThatThrownBy(() -> gathered.load(objects, files()))
        .isInstanceOf(NoSuchFileException.class);
  }
}
