// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * A file of a job's directory that says something to all tasks of a stage, and something else to
 * each of them. A JVM reads the first once, and of the second what its tasks need; where all of it
 * is little, it reads the file as a whole.
 *
 * <p>What is for one task is compressed (RFC 1951) with what is for task 0 as a preset dictionary,
 * since tasks of a stage are told much the same:
 *
 * <pre>
 *   of task 0 | of task 1 | ... | footer: lengths, dictionary, what is common
 * </pre>
 *
 * Immutable, and thread-safe. It does not say whether bytes were changed: {@link PlanCodec} does.
 */
final class PlanFile {

  /** A file of fewer bytes is read as a whole: for less a further request does not pay. */
  private static final int SMALL_BYTES = 1 << 20;

  private final JobFiles files;
  private final Address address;
  private final Footer footer;

  /** The bytes before the footer, or null where tasks read theirs from the file. */
  private final byte[] ofTasks;

  private PlanFile(JobFiles files, Address address, Footer footer, byte[] ofTasks) {
    this.files = files;
    this.address = address;
    this.footer = footer;
    this.ofTasks = ofTasks;
  }

  /**
   * Where to find a file.
   *
   * @param name of the file, among those of its job
   * @param footerOffset where the footer begins, in bytes
   * @param footerBytes length of the footer
   */
  record Address(String name, long footerOffset, int footerBytes) {

    Address {
      Objects.requireNonNull(name, "name");
    }

    private boolean isSmall() {
      return footerOffset + footerBytes <= SMALL_BYTES;
    }
  }

  /**
   * What is behind the tasks' bytes.
   *
   * @param offsets where each task's bytes begin; and where the last one's end
   * @param dictionary for all tasks
   * @param common what is for all tasks
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Footer(long[] offsets, byte[] dictionary, byte[] common) {

    static Footer of(byte[] compressed) throws IOException {
      try (DataInputStream in =
          new DataInputStream(
              new ByteArrayInputStream(Deflated.inflate(compressed, Deflated.NO_DICTIONARY)))) {
        long[] offsets = new long[in.readInt() + 1];
        for (int task = 0; task + 1 < offsets.length; task++) {
          offsets[task + 1] = offsets[task] + in.readInt();
        }
        byte[] dictionary = new byte[in.readInt()];
        in.readFully(dictionary);
        return new Footer(offsets, dictionary, in.readAllBytes());
      }
    }
  }

  /**
   * Writes a file, in the place of one with this name.
   *
   * @param common what all tasks are told
   * @param tasks how many there are
   * @param ofTask what each of them is told; asked in turn, and again for task 0
   */
  static Address write(
      JobFiles files, String name, byte[] common, int tasks, IntFunction<byte[]> ofTask)
      throws IOException {
    byte[] dictionary = tasks == 0 ? new byte[0] : ofTask.apply(0);
    if (dictionary.length > Deflated.MOST_DICTIONARY_BYTES) {
      dictionary = Arrays.copyOf(dictionary, Deflated.MOST_DICTIONARY_BYTES);
    }
    byte[] preset = dictionary;
    ByteArrayOutputStream footerBytes = new ByteArrayOutputStream();
    DataOutputStream footer = new DataOutputStream(footerBytes);
    long[] written = new long[2];
    files.writePlan(
        name,
        out -> {
          footer.writeInt(tasks);
          for (int task = 0; task < tasks; task++) {
            byte[] bytes = Deflated.deflate(ofTask.apply(task), preset);
            out.write(bytes);
            footer.writeInt(bytes.length);
            written[0] += bytes.length;
          }
          footer.writeInt(preset.length);
          footer.write(preset);
          footer.write(common);
          byte[] bytes = Deflated.deflate(footerBytes.toByteArray(), Deflated.NO_DICTIONARY);
          out.write(bytes);
          written[1] = bytes.length;
        });
    return new Address(name, written[0], (int) written[1]);
  }

  /** Reads what is for all tasks. */
  static PlanFile open(JobFiles files, Address address) throws IOException {
    int footerBytes = address.footerBytes();
    if (!address.isSmall()) {
      byte[] footer = files.readPlan(address.name(), address.footerOffset(), footerBytes);
      return new PlanFile(files, address, Footer.of(footer), null);
    }
    int ofTasks = (int) address.footerOffset();
    byte[] all = files.readPlan(address.name(), 0, ofTasks + footerBytes);
    return new PlanFile(
        files,
        address,
        Footer.of(Arrays.copyOfRange(all, ofTasks, all.length)),
        Arrays.copyOf(all, ofTasks));
  }

  /** What all tasks are told; must not be modified. */
  byte[] common() {
    return footer.common();
  }

  /** What a task is told. */
  byte[] ofTask(int task) throws IOException {
    long from = footer.offsets()[task];
    int length = (int) (footer.offsets()[task + 1] - from);
    byte[] compressed =
        ofTasks == null
            ? files.readPlan(address.name(), from, length)
            : Arrays.copyOfRange(ofTasks, (int) from, (int) from + length);
    return Deflated.inflate(compressed, footer.dictionary());
  }
}
