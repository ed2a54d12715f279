// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import static dev.anemone.runtime.store.BlockContents.bytes;
import static dev.anemone.runtime.store.BlockContents.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.store.BlockContents;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.tez.runtime.library.common.sort.impl.TezIndexRecord;
import org.apache.tez.runtime.library.common.sort.impl.TezSpillRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tez reads our files, and we read Tez's. */
class TezSpillRecordTest {

  private static final BlockId ID = new BlockId("dag_1/attempt_1");
  private static final byte[][] PARTITIONS = {
    new byte[0], bytes(1, 300), new byte[0], bytes(2, 200_000), bytes(3, 50), new byte[0]
  };

  @TempDir Path root;

  private Path directory;
  private LocalFileStore store;

  @BeforeEach
  void open() {
    directory = root.resolve(ID.path());
    store = new LocalFileStore(root);
  }

  private TezSpillRecord recordOfTez() throws IOException {
    return new TezSpillRecord(
        new org.apache.hadoop.fs.Path(directory.resolve("file.out.index").toUri()),
        new Configuration(false));
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void tezFindsEveryPartition(WriteOrder order) throws IOException {
    LocalFileStore small = new LocalFileStore(root, 1 << 20, 0, 1 << 12);
    write(small, ID, order, PARTITIONS);
    TezSpillRecord record = recordOfTez();
    byte[] file = Files.readAllBytes(directory.resolve("file.out"));
    assertThat(record.size()).isEqualTo(PARTITIONS.length);
    for (int p = 0; p < PARTITIONS.length; p++) {
      TezIndexRecord entry = record.getIndex(p);
      int from = Math.toIntExact(entry.getStartOffset());
      assertThat(entry.hasData()).isEqualTo(PARTITIONS[p].length > 0);
      assertThat(entry.getRawLength()).isEqualTo(2L * PARTITIONS[p].length);
      assertThat(Arrays.copyOfRange(file, from, from + Math.toIntExact(entry.getPartLength())))
          .isEqualTo(PARTITIONS[p]);
    }
  }

  @Test
  void everyRangeOfPackedPartitionsIsOnePieceOfTheFile() throws IOException {
    write(store, ID, WriteOrder.BY_PARTITION, PARTITIONS);
    TezSpillRecord record = recordOfTez();
    for (int first = 0; first < PARTITIONS.length; first++) {
      long sum = 0;
      for (int last = first; last < PARTITIONS.length; last++) {
        sum += PARTITIONS[last].length;
        TezIndexRecord end = record.getIndex(last);
        assertThat(
                end.getStartOffset()
                    + end.getPartLength()
                    - record.getIndex(first).getStartOffset())
            .isEqualTo(sum);
      }
    }
  }

  @Test
  void indexesOfTezAreRead() throws IOException {
    write(store, ID, WriteOrder.BY_PARTITION, PARTITIONS);
    TezSpillRecord record = recordOfTez();
    Path index = directory.resolve("file.out.index");
    Files.delete(index);
    Configuration configuration = new Configuration(false);
    record.writeToFile(
        new org.apache.hadoop.fs.Path(index.toUri()),
        configuration,
        org.apache.hadoop.fs.FileSystem.getLocal(configuration).getRaw());
    BlockContents.assertBlock(new LocalFileStore(root), ID, PARTITIONS);
  }

  @Test
  void theGroupMayReadTheFiles() throws IOException {
    write(store, ID, WriteOrder.BY_PARTITION, PARTITIONS);
    for (String name : new String[] {"file.out", "file.out.index"}) {
      assertThat(Files.getPosixFilePermissions(directory.resolve(name)))
          .containsExactlyInAnyOrder(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.GROUP_READ);
    }
  }
}
