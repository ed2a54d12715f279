// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Keeps the blocks of a job in the directories that YARN gives its application on a node, one on
 * each disk, where the node manager's shuffle handler looks for them: block {@code x} is {@code
 * <directory>/output/x/file.out} with its index, in one of the directories; for Tez's handler
 * {@code <directory>/dag_1/output/x/file.out}. All containers of the application on the node have
 * the same directories and see each other's blocks.
 *
 * <p>The hash of its id gives the directory of a block, so that blocks spread over the disks. When
 * that one is nearly full or cannot be written, the block goes to the next; a block is looked for
 * in its own directory first, and then in the others. The handler serves blocks whose id is a
 * single component. Thread-safe.
 */
public final class ApplicationDirectories implements BlockStore {

  /** A disk with less space than this gets blocks only when all have less. */
  private static final long LEAST_USABLE_BYTES = 256L << 20;

  private final List<Disk> disks;
  private final ServedJob job;

  /** The directory of one disk, the one below it where the handler looks, and the store in that. */
  private record Disk(Path directory, Path output, LocalFileStore store) {

    static Disk of(Path directory, ServedJob job) {
      return new Disk(directory, directory.resolve(job.outputDirectory()));
    }

    private Disk(Path directory, Path output) {
      this(directory, output, new LocalFileStore(output));
    }

    /** First components of the paths of its blocks. */
    List<String> names() {
      return namesIn(output);
    }

    boolean hasSpace() {
      return directory.toFile().getUsableSpace() >= LEAST_USABLE_BYTES;
    }

    /** Begins a block; not on the disk to which the directory belongs when its own is gone. */
    BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException {
      if (!Files.isDirectory(directory)) {
        throw new NoSuchFileException(
            directory.toString(), null, "YARN's directory for this application is not there");
      }
      return store.create(id, partitions, order);
    }

    /** Deletes a block. A disk that fails fails for blocks, too, that it does not have. */
    void delete(BlockId id) throws IOException {
      try {
        store.delete(id);
      } catch (IOException e) {
        if (has(id)) {
          throw e;
        }
      }
    }

    boolean has(BlockId id) {
      return Files.exists(output.resolve(id.path()));
    }
  }

  /**
   * A store over directories, each as in {@code <local
   * dir>/usercache/<user>/appcache/<application>}; YARN tells a container its own in the
   * environment variable {@code LOCAL_DIRS}.
   *
   * @throws IllegalArgumentException when there is none
   */
  public ApplicationDirectories(List<Path> directories, ServedJob job) {
    if (directories.isEmpty()) {
      throw new IllegalArgumentException("blocks need at least one local directory");
    }
    this.job = job;
    this.disks =
        directories.stream().map(directory -> Disk.of(directory.toAbsolutePath(), job)).toList();
  }

  /** The disks in the order in which a block is looked for. */
  private List<Disk> disksFor(BlockId id) {
    int first = Math.floorMod(id.hashCode(), disks.size());
    List<Disk> order = new ArrayList<>(disks.subList(first, disks.size()));
    order.addAll(disks.subList(0, first));
    return order;
  }

  /**
   * Begins a block on the first disk on which that is possible. Which disk that is may have changed
   * when a block is begun again, so it is withdrawn from the others.
   *
   * @throws IllegalArgumentException when there are no partitions
   * @throws IOException when no disk takes the block, or another one still has it and cannot delete
   *     it
   */
  @Override
  public BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException {
    List<Disk> candidates = new ArrayList<>();
    List<Disk> full = new ArrayList<>();
    for (Disk disk : disksFor(id)) {
      (disk.hasSpace() ? candidates : full).add(disk);
    }
    candidates.addAll(full);
    Failures failures = new Failures();
    for (Disk disk : candidates) {
      BlockWriter writer;
      try {
        writer = disk.create(id, partitions, order);
      } catch (IOException e) {
        failures.add(e);
        continue;
      }
      withdraw(id, disk, writer);
      return writer;
    }
    throw failures.first();
  }

  /** Deletes a block from all disks but the one that it is written to now. */
  private void withdraw(BlockId id, Disk writtenTo, BlockWriter writer) throws IOException {
    try {
      for (Disk disk : disks) {
        if (!disk.equals(writtenTo) && disk.has(id)) {
          disk.delete(id);
        }
      }
    } catch (IOException e) {
      try (writer) {
        throw e;
      }
    }
  }

  @Override
  public BlockReader open(BlockId id, ReadStatistics statistics) throws IOException {
    return open(id, disk -> disk.store().open(id, statistics));
  }

  @Override
  public BlockReader open(BlockId id, List<HashRange> ranges, ReadStatistics statistics)
      throws IOException {
    return open(id, disk -> disk.store().open(id, ranges, statistics));
  }

  /** Opens a block on a disk. */
  @FunctionalInterface
  private interface Opening {
    BlockReader on(Disk disk) throws IOException;
  }

  private BlockReader open(BlockId id, Opening opening) throws IOException {
    NoSuchFileException missing = null;
    Failures failures = new Failures();
    for (Disk disk : disksFor(id)) {
      try {
        return opening.on(disk);
      } catch (NoSuchFileException e) {
        missing = missing == null ? e : missing;
      } catch (IOException e) {
        failures.add(e);
      }
    }
    failures.throwIfAny();
    throw missing;
  }

  @Override
  public void delete(BlockId id) throws IOException {
    Failures failures = new Failures();
    for (Disk disk : disks) {
      try {
        disk.delete(id);
      } catch (IOException e) {
        failures.add(e);
      }
    }
    failures.throwIfAny();
  }

  /**
   * Deletes all blocks whose paths begin with a string, also those of other containers; see {@link
   * LocalFileStore#deleteAll}. What cannot be deleted on one disk does not keep that on others.
   */
  public void deleteAll(String pathPrefix) throws IOException {
    Failures failures = new Failures();
    for (Disk disk : disks) {
      try {
        disk.store().deleteAll(pathPrefix);
      } catch (IOException e) {
        failures.add(e);
      }
    }
    failures.throwIfAny();
  }

  /**
   * Deletes all blocks but those whose paths begin with a string, also those of other containers,
   * and of the application's other jobs where they lie apart. What cannot be deleted on one disk
   * does not keep that on others.
   */
  public void deleteAllBut(String pathPrefix) throws IOException {
    Failures failures = new Failures();
    for (Disk disk : disks) {
      for (String name : disk.names()) {
        if (!name.startsWith(pathPrefix)) {
          try {
            disk.store().delete(new BlockId(name));
            disk.store().deleteAll(name + "/");
          } catch (IOException e) {
            failures.add(e);
          }
        }
      }
      deleteOtherJobs(disk, failures);
    }
    failures.throwIfAny();
  }

  /**
   * Deletes the blocks of the job that have such names, also those of other containers. What cannot
   * be deleted on one disk does not keep that on others.
   */
  public void deleteIf(Predicate<String> name) throws IOException {
    Failures failures = new Failures();
    for (Disk disk : disks) {
      for (String found : disk.names()) {
        if (name.test(found)) {
          try {
            disk.store().delete(new BlockId(found));
          } catch (IOException e) {
            failures.add(e);
          }
        }
      }
    }
    failures.throwIfAny();
  }

  private void deleteOtherJobs(Disk disk, Failures failures) {
    LocalFileStore application = new LocalFileStore(disk.directory());
    for (String name : namesIn(disk.directory())) {
      if (job.isOfAnotherJob(name)) {
        try {
          application.deleteAll(name + "/");
        } catch (IOException e) {
          failures.add(e);
        }
      }
    }
  }

  private static List<String> namesIn(Path directory) {
    String[] names = directory.toFile().list();
    return names == null ? List.of() : List.of(names);
  }

  /** Bytes of the blocks that were committed in this store object and not deleted. */
  @Override
  public long usedBytes() {
    return disks.stream().mapToLong(disk -> disk.store().usedBytes()).sum();
  }
}
