// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class RecordFormatTest {

  /** The lines that gensort -a gives. */
  @Test
  void asciiRecordsAreThoseOfGensort() {
    String filler = "0000222200002222000022220000222200002222000000001111";
    assertThat(lines(5))
        .containsExactly(
            "AsfAGHM5om  00000000000000000000000000000000  " + filler + "\r\n",
            "~sHd0jDv6X  00000000000000000000000000000001  "
                + "77779999444488885555CCCC777755555555BBBB666644446666\r\n",
            "uI^EYm8s=|  00000000000000000000000000000002  "
                + "CCCCFFFF777799995555FFFF11112222999988884444DDDDFFFF\r\n",
            "Q)JN)R9z-L  00000000000000000000000000000003  "
                + "FFFF111100000000000066668888BBBB33333333AAAA1111CCCC\r\n",
            "o4FoBkqERn  00000000000000000000000000000004  "
                + "7777AAAABBBBBBBB22224444444499995555BBBB11118888DDDD\r\n");
  }

  @Test
  void aBinaryRecordHasItsParts() {
    byte[] record = make(RecordFormat.BINARY, 0);

    // The first random number is the increment, which begins with the name of Jim Gray.
    assertThat(text(record, 0, 10)).isEqualTo("JimGrayRIP");
    assertThat(hex(record, 10, 12)).isEqualTo("0011");
    assertThat(text(record, 12, 44)).isEqualTo("0".repeat(32));
    assertThat(hex(record, 44, 48)).isEqualTo("8899aabb");
    assertThat(text(record, 48, 96)).isEqualTo("222200002222000022220000222200002222000000001111");
    assertThat(hex(record, 96, 100)).isEqualTo("ccddeeff");
  }

  @Test
  void theNumberOfARecordIsWrittenToItsLastBit() {
    assertThat(text(make(RecordFormat.BINARY, 0x0123_4567_89AB_CDEFL), 12, 44))
        .isEqualTo("00000000000000000123456789ABCDEF");
  }

  /** The checksum that Hadoop's TeraValidate and valsort print for the first million records. */
  @Test
  void theFirstMillionBinaryRecordsHaveTheirPublishedChecksum() {
    TeraRandom random = new TeraRandom(0);
    byte[] record = new byte[TeraRecord.BYTES];
    CRC32 crc = new CRC32();
    long sum = 0;
    for (int number = 0; number < 1_000_000; number++) {
      random.advance();
      RecordFormat.BINARY.write(number, random.high(), random.low(), record, 0);
      crc.reset();
      crc.update(record);
      sum += crc.getValue();
    }
    assertThat(Long.toHexString(sum)).isEqualTo("7a27e2d0d55de");
  }

  private static String[] lines(int count) {
    String[] lines = new String[count];
    Arrays.setAll(lines, number -> text(make(RecordFormat.ASCII, number), 0, TeraRecord.BYTES));
    return lines;
  }

  private static byte[] make(RecordFormat format, long number) {
    TeraRandom random = new TeraRandom(number);
    random.advance();
    byte[] record = new byte[TeraRecord.BYTES];
    format.write(number, random.high(), random.low(), record, 0);
    return record;
  }

  private static String text(byte[] record, int from, int to) {
    return new String(record, from, to - from, StandardCharsets.US_ASCII);
  }

  private static String hex(byte[] record, int from, int to) {
    return HexFormat.of().formatHex(record, from, to);
  }
}
