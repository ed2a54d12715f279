// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.inflate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat.Compression;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

class InflatedBytesTest {

  private static final int HEADER_BYTES = 10;
  private static final int FLAGS = 3;

  /** Of more than a buffer when it is compressed; the second half compresses to little. */
  private static final byte[] TEXT = text();

  private static byte[] text() {
    byte[] text = new byte[600_000];
    new Random(3).nextBytes(text);
    Arrays.fill(text, text.length / 2, text.length, (byte) 'a');
    return text;
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void allMembersAreReadHoweverTheyCome(Compression compression) throws IOException {
    byte[] whole = compressed(compression, TEXT);
    byte[] none = compressed(compression, new byte[0]);
    byte[] file = joined(none, whole, none, none, whole, none);
    byte[] expected = joined(TEXT, TEXT);
    for (int piece : new int[] {7, 1_000, 1 << 16, 1 << 20}) {
      assertThat(read(compression, new Pieces(file, piece), 0)).isEqualTo(expected);
    }
    for (int place : new int[] {1, 400_000, expected.length}) {
      assertThat(read(compression, new Pieces(file, 1 << 20), place))
          .isEqualTo(Arrays.copyOfRange(expected, place, expected.length));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void whereverItIsCutOffItIsDamaged(Compression compression) throws IOException {
    byte[] one = compressed(compression, "one".getBytes(UTF_8));
    byte[] both = joined(one, compressed(compression, "two".getBytes(UTF_8)));
    for (int length = 0; length < both.length; length++) {
      if (length != one.length) {
        damaged(compression, Arrays.copyOf(both, length), length == 0 ? "empty" : "cut off");
      }
    }
    assertThat(read(compression, new Pieces(one, 5), 0)).isEqualTo("one".getBytes(UTF_8));
    byte[] whole = compressed(compression, TEXT);
    damaged(compression, Arrays.copyOf(whole, whole.length - 1), "cut off after");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 4, 8, 16, 2 | 4 | 8 | 16})
  void headersOfGzipMayHaveMore(int flags) throws IOException {
    byte[] plain = compressed(Compression.GZIP, TEXT);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    byte[] header = Arrays.copyOf(plain, HEADER_BYTES);
    header[FLAGS] = (byte) flags;
    file.write(header);
    if ((flags & 4) != 0) {
      file.write(new byte[] {1, 1});
      file.write(new byte[0x101]);
    }
    if ((flags & 8) != 0) {
      file.write("name\0".getBytes(UTF_8));
    }
    if ((flags & 16) != 0) {
      file.write("\0".getBytes(UTF_8));
    }
    if ((flags & 2) != 0) {
      file.write(new byte[2]);
    }
    file.write(plain, HEADER_BYTES, plain.length - HEADER_BYTES);
    byte[] both = joined(file.toByteArray(), file.toByteArray());
    assertThat(read(Compression.GZIP, new Pieces(both, 1_000), 0)).isEqualTo(joined(TEXT, TEXT));
  }

  @ParameterizedTest
  @CsvSource({
    "0, at byte 0 begins what is no gzip",
    "1, at byte 0 begins what is no gzip",
    "2, at byte 0 begins what is no gzip",
    "3, at byte 0 begins a member that means what gzip does not",
    "-8, the checksum before byte",
    "-1, the length before byte"
  })
  void whatAMemberSaysOfItselfIsCompared(int place, String reason) throws IOException {
    byte[] file = compressed(Compression.GZIP, TEXT);
    file[place < 0 ? file.length + place : place] ^= (byte) 0xe0;
    damaged(Compression.GZIP, file, reason);
  }

  @Test
  void whatComesBehindIsNoText() throws IOException {
    byte[] whole = compressed(Compression.GZIP, TEXT);
    damaged(
        Compression.GZIP,
        joined(whole, "behind".getBytes(UTF_8)),
        "at byte " + whole.length + " begins what is no gzip");
    damaged(
        Compression.ZSTD,
        joined(compressed(Compression.ZSTD, TEXT), "behind".getBytes(UTF_8)),
        "is what no compressor writes");
  }

  @Test
  void aPartInTheMiddleIsNotGivenOut() throws IOException {
    try (SplitBytes text = new InflatedBytes(new Pieces(new byte[9], 9), Compression.GZIP)) {
      assertThat(text.size()).isEqualTo(SplitBytes.UNKNOWN_SIZE);
      assertThatThrownBy(() -> text.open(0, 5)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static void damaged(Compression compression, byte[] file, String reason) {
    assertThatThrownBy(() -> read(compression, new Pieces(file, 1_000), 0))
        .isInstanceOf(DamagedStreamException.class)
        .hasMessageContaining("/pieces is damaged: ")
        .hasMessageContaining(reason);
  }

  private static byte[] read(Compression compression, Pieces file, long place) throws IOException {
    try (InflatedBytes text = new InflatedBytes(file, compression);
        InputStream stream = text.open(place, text.size() - place)) {
      return stream.readAllBytes();
    } finally {
      assertThat(file.open).isFalse();
    }
  }

  private static byte[] compressed(Compression compression, byte[] text) throws IOException {
    if (compression == Compression.ZSTD) {
      return Zstd.compress(text);
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(file)) {
      out.write(text);
    }
    return file.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** A file that comes in pieces, and never has something ready. */
  private static final class Pieces implements SplitBytes {

    private final byte[] content;
    private final int piece;
    private boolean open;

    Pieces(byte[] content, int piece) {
      this.content = content;
      this.piece = piece;
    }

    @Override
    public String name() {
      return "/pieces";
    }

    @Override
    public long size() {
      return content.length;
    }

    @Override
    public InputStream open(long position, long length) {
      open = true;
      return new ByteArrayInputStream(content, (int) position, (int) length) {
        @Override
        public synchronized int read(byte[] target, int offset, int wanted) {
          return super.read(target, offset, Math.min(piece, wanted));
        }

        @Override
        public synchronized int available() {
          return 0;
        }

        @Override
        public void close() {
          open = false;
        }
      };
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }
}
