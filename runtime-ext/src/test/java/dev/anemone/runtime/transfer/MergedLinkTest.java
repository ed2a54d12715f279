// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.stage.Transfer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.LinkSources;
import dev.anemone.runtime.transfer.announcement.Source;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that are read in place, of which there are so many that some are merged first. */
@Timeout(60)
class MergedLinkTest {

  private static final int PRODUCERS = 6;
  private static final int BAD = 2;
  private static final int WRITER_PAGES = 8;

  /** Of a reader, which reads a block in place that takes more than a quarter of them. */
  private static final int READER_PAGES = 3;

  private static final int BLOCK_BYTES = READER_PAGES * PagePool.PAGE_BYTES / 2;
  private static final int VALUE_BYTES = 1000;

  @TempDir Path directory;

  private final List<Source> lost = new ArrayList<>();
  private final SourceFeed feed =
      new SourceFeed((source, version, loss, reason) -> lost.add(source));
  private TestLinks links;

  @BeforeEach
  void write() throws Exception {
    links =
        TestLinks.of(
            Transfer.GROUPED, 1, List.of(List.of(new HashRange(0, 1))), List.of(), directory);
    Random random = new Random(1);
    for (int producer = 0; producer < PRODUCERS; producer++) {
      BlockAnnouncement announcement = write(producer, random);
      feed.add(new InputEvent.Announced(new Source("producer", producer), 0, announcement));
    }
  }

  private BlockAnnouncement write(int producer, Random random) throws Exception {
    TaskAttempt attempt = links.writing(producer);
    try (PullWriter writer =
        new PullWriter(
            Partitioning.of(links.link(), 0),
            new WriterSettings(1, true, Codec.LZ4, attempt.producer(), null),
            links.memory(WRITER_PAGES),
            links.plane(),
            DataStore.LOCAL_FILE,
            links.plane().localFiles(),
            block(producer),
            new TaskClock())) {
      ByteSink key = new ByteSink();
      ByteSink value = new ByteSink();
      byte[] bytes = new byte[VALUE_BYTES];
      for (int i = 0; i < BLOCK_BYTES / VALUE_BYTES; i++) {
        random.nextBytes(bytes);
        key.reset();
        key.write(0);
        key.write(ByteBuffer.allocate(Integer.BYTES).putInt(i).array(), 0, Integer.BYTES);
        value.reset();
        value.write(bytes, 0, VALUE_BYTES);
        writer.write(key, value);
      }
      return writer.finish();
    }
  }

  private static BlockId block(int producer) {
    return new BlockId("producer_" + producer);
  }

  private Path file(int producer) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.endsWith(Path.of(block(producer).path(), "file.out")))
          .findFirst()
          .orElseThrow();
    }
  }

  private void assertThatOpeningReportsTheBadBlock() throws Exception {
    TaskMemory memory = links.memory(READER_PAGES);
    try (MergedLink link =
        new MergedLink(
            links.reading(0),
            links.link(),
            new LinkSources(PRODUCERS, feed, new BlockId("reader")),
            links.plane(),
            memory,
            Map.of(),
            new TaskClock())) {
      assertThatThrownBy(link::open)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("edge " + links.link().edgeIds())
          .hasMessageContaining(block(BAD).path());
    }
    assertThat(lost).containsExactly(new Source("producer", BAD));
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void aDamagedBlockThatIsMergedIntoAnotherRunIsReported() throws Exception {
    try (RandomAccessFile data = new RandomAccessFile(file(BAD).toFile(), "rw")) {
      data.seek(data.length() / 2);
      int wrong = data.readUnsignedByte() ^ 0x10;
      data.seek(data.length() / 2);
      data.writeByte(wrong);
    }
    assertThatOpeningReportsTheBadBlock();
  }

  @Test
  void aLostBlockThatIsMergedIntoAnotherRunIsReported() throws Exception {
    try (RandomAccessFile data = new RandomAccessFile(file(BAD).toFile(), "rw")) {
      data.setLength(data.length() / 2);
    }
    assertThatOpeningReportsTheBadBlock();
  }
}
