// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ndp.engine.ParquetFile.RowGroup;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;

/**
 * A footer that has been understood. It can be written again for some of the file's row groups: the
 * engine reads all of a file's footer for each query, which for a small split of a large file takes
 * longer than the split. Immutable.
 */
final class ParquetFooter {

  private final ParquetFile file;
  private final FileMetaData metadata;

  private ParquetFooter(ParquetFile file, FileMetaData metadata) {
    this.file = file;
    this.metadata = metadata;
  }

  /**
   * A footer.
   *
   * @param file what the engine makes of it
   * @param end the bytes of the file from the footer on
   * @throws IOException when they are no footer
   */
  static ParquetFooter of(ParquetFile file, byte[] end) throws IOException {
    FileMetaData metadata = Util.readFileMetaData(new ByteArrayInputStream(end));
    if (metadata.getRow_groupsSize() != file.groups().size()) {
      throw new IOException(
          "the footer has "
              + metadata.getRow_groupsSize()
              + " row groups, of which the engine knows "
              + file.groups().size());
    }
    return new ParquetFooter(file, metadata);
  }

  ParquetFile file() {
    return file;
  }

  /**
   * The end of a file that has these row groups at their places, and no others.
   *
   * @param groups some of the file's
   */
  byte[] endWith(List<RowGroup> groups) throws IOException {
    FileMetaData some =
        new FileMetaData(
            metadata.getVersion(),
            metadata.getSchema(),
            groups.stream().mapToLong(RowGroup::rows).sum(),
            groups.stream()
                .map(group -> metadata.getRow_groups().get(file.groups().indexOf(group)))
                .toList());
    some.setKey_value_metadata(metadata.getKey_value_metadata());
    some.setCreated_by(metadata.getCreated_by());
    some.setColumn_orders(metadata.getColumn_orders());
    ByteArrayOutputStream end = new ByteArrayOutputStream();
    Util.writeFileMetaData(some, end);
    end.write(
        ByteBuffer.allocate(Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(end.size())
            .array());
    end.write(ParquetCopy.magic());
    return end.toByteArray();
  }
}
