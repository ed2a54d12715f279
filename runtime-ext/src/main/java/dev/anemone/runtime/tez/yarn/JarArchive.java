// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Many jars in one zip file, which YARN unpacks once on each machine. A container then needs one
 * link where it would need one for each jar, and making hundreds of them takes a second or two
 * whenever a container starts. The same jars make the same archive, in whatever order they come.
 */
final class JarArchive implements Parcel {

  private static final String NAME = "jars.zip";

  /** Larger ones would be zip files of another format, with other lengths. */
  static final long MOST_BYTES = Integer.MAX_VALUE;

  /** Later than the first that a zip file can name, which would be written in a second format. */
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

  private static final int MEMBER_OVERHEAD_BYTES = 30 + 46;
  private static final int END_BYTES = 22;
  private static final int BUFFER_BYTES = 64 << 10;

  private final List<Jar> jars;
  private final String key;

  private JarArchive(List<Jar> jars, String key) {
    this.jars = jars;
    this.key = key;
  }

  /** An archive of jars, no two of which have the same content. */
  static JarArchive of(List<Jar> jars) {
    List<Jar> sorted =
        jars.stream().sorted(Comparator.comparing(Jar::name).thenComparing(Jar::key)).toList();
    StringBuilder contents = new StringBuilder();
    for (Jar jar : sorted) {
      contents.append(jar.name()).append(' ').append(jar.key()).append('\n');
    }
    String key = ContentDigest.ofBytes(contents.toString().getBytes(StandardCharsets.UTF_8));
    return new JarArchive(sorted, key);
  }

  /** What a jar is called in the archive. */
  String memberName(Jar jar) {
    int index = jars.indexOf(jar);
    if (index < 0) {
      throw new IllegalArgumentException(jar.local() + " is not in the archive");
    }
    return memberName(index);
  }

  private String memberName(int index) {
    return String.format("%04d-%s", index, jars.get(index).name());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String key() {
    return key;
  }

  /** Members are stored as they are, so that the length is known before the archive is made. */
  @Override
  public long bytes() {
    long bytes = END_BYTES;
    for (int i = 0; i < jars.size(); i++) {
      bytes += jars.get(i).bytes() + MEMBER_OVERHEAD_BYTES + 2L * memberName(i).length();
    }
    return bytes;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(new BufferedOutputStream(out, BUFFER_BYTES));
    for (int i = 0; i < jars.size(); i++) {
      Jar jar = jars.get(i);
      ZipEntry entry = new ZipEntry(memberName(i));
      entry.setMethod(ZipEntry.STORED);
      entry.setTimeLocal(TIME);
      entry.setSize(jar.bytes());
      entry.setCrc(jar.digest().crc32());
      zip.putNextEntry(entry);
      jar.writeTo(zip);
      zip.closeEntry();
    }
    zip.finish();
    zip.flush();
  }
}
