// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * What all tasks of a stage have announced over a link, or where that is, as it goes to each task
 * of the consumer. So the master sends as many messages as there are consumers, and not that many
 * for each producer; a file of the job's directory is read once in each JVM.
 *
 * @param stage the producers' stage
 * @param file name of the file; empty where it is little
 * @param bytes where it is little; must not be modified
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record GatheredAnnouncements(String stage, String file, byte[] bytes) {

  /** As much as some tens of producers say. Each consumer gets it, so it must not be much. */
  private static final int LITTLE_BYTES = 2 << 10;

  public GatheredAnnouncements {
    Objects.requireNonNull(stage, "stage");
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(bytes, "bytes");
  }

  /**
   * What an attempt has announced.
   *
   * @param task index of the producer task
   * @param attempt number of its attempt
   * @param announcement bytes of a {@link BlockAnnouncement}; must not be modified
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Entry(int task, int attempt, byte[] announcement) {

    /** What the bytes say. */
    public BlockAnnouncement read() {
      return BlockAnnouncement.of(ByteBuffer.wrap(announcement));
    }
  }

  /**
   * Puts together what was announced; writes a file where it is much. Every file has a name of its
   * own, since a master that is run again may gather something else.
   */
  public static GatheredAnnouncements store(String stage, Collection<Entry> all, JobFiles files)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(all.size());
    for (Entry each : all) {
      out.writeInt(each.task());
      out.writeInt(each.attempt());
      out.writeInt(each.announcement().length);
      out.write(each.announcement());
    }
    byte[] compressed = Deflated.deflate(bytes.toByteArray(), Deflated.NO_DICTIONARY);
    if (compressed.length <= LITTLE_BYTES) {
      return new GatheredAnnouncements(stage, "", compressed);
    }
    String file = UUID.randomUUID().toString();
    files.writeAnnouncements(file, compressed);
    return new GatheredAnnouncements(stage, file, new byte[0]);
  }

  /**
   * What was announced.
   *
   * @param scope keeps what the file says for the other tasks of this JVM
   * @throws IOException when the file cannot be read
   */
  public List<Entry> load(JobScope scope, JobFiles files) throws Exception {
    return load(scope.objects(), files);
  }

  List<Entry> load(SharedObjects objects, JobFiles files) throws Exception {
    if (file.isEmpty()) {
      return entries(bytes);
    }
    return objects
        .get("anemone.announced " + file, () -> new Read(files.readAnnouncements(file)))
        .entries();
  }

  private static List<Entry> entries(byte[] compressed) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(Deflated.inflate(compressed, Deflated.NO_DICTIONARY));
    List<Entry> all = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      int task = in.getInt();
      int attempt = in.getInt();
      byte[] announcement = new byte[in.getInt()];
      in.get(announcement);
      all.add(new Entry(task, attempt, announcement));
    }
    return Collections.unmodifiableList(all);
  }

  /**
   * A file that was read, and what it says while the heap has room for that: of many partitions it
   * is many times the file. Thread-safe.
   */
  private static final class Read {

    private final byte[] compressed;
    private SoftReference<List<Entry>> entries = new SoftReference<>(null);

    Read(byte[] compressed) {
      this.compressed = compressed;
    }

    synchronized List<Entry> entries() throws IOException {
      List<Entry> known = entries.get();
      if (known == null) {
        known = GatheredAnnouncements.entries(compressed);
        entries = new SoftReference<>(known);
      }
      return known;
    }
  }
}
