// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.pmem.PersistentMemoryFile.Mapping;
import dev.anemone.testing.Requirement;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class PersistentMemoryFileTest {

  private static final int SIZE = 1 << 20;

  @TempDir Path directory;

  @Test
  void aNewFileIsZeroAndHasItsSpace() throws IOException {
    Path path = directory.resolve("new");
    try (PersistentMemoryFile memory = PersistentMemoryFile.open(path, SIZE + 5)) {
      assertThat(memory.size()).isEqualTo(SIZE + 5);
      assertThat(memory.path()).isEqualTo(path);
      ByteBuffer all = memory.slice(0, SIZE + 5);
      assertThat(all).isEqualTo(ByteBuffer.allocate(SIZE + 5));
      assertThat(memory.word(SIZE - 8)).isZero();
    }
    assertThat(Files.size(path)).isEqualTo(SIZE + 5);
    assertThat(allocatedBytes(path)).isGreaterThanOrEqualTo(SIZE + 5);
    assertThat(files()).containsExactly(path);
  }

  @Test
  void whatWasWrittenIsThereWhenItIsOpenedAgain() throws IOException {
    Path path = directory.resolve("kept");
    byte[] bytes = "written once".getBytes(StandardCharsets.UTF_8);
    try (PersistentMemory memory = PersistentMemoryFile.open(path, SIZE)) {
      memory.slice(4000, 100).put(bytes);
      memory.persist(4000, bytes.length);
      memory.persist(SIZE, 0);
      memory.commit(8, -7);
      assertThat(memory.slice(SIZE, 0).remaining()).isZero();
    }
    try (PersistentMemory memory = PersistentMemoryFile.open(path, SIZE)) {
      byte[] found = new byte[bytes.length];
      memory.slice(4000, 100).get(found);
      assertThat(found).isEqualTo(bytes);
      assertThat(memory.word(8)).isEqualTo(-7);
      assertThat(memory.word(0)).isZero();
    }
  }

  /** Of DAX only where the temporary directory is, as {@code evaluation/rdma-vm} has it. */
  @Test
  void onDaxTheFileIsMappedWithMapSync() throws IOException {
    Path path = directory.toRealPath().resolve("x");
    try (PersistentMemoryFile memory = PersistentMemoryFile.open(path, SIZE)) {
      boolean onDax = mountOptions(path).stream().anyMatch(Set.of("dax", "dax=always")::contains);
      assertThat(memory.mapping()).isEqualTo(onDax ? Mapping.SYNC : Mapping.PAGE_CACHE);
      // The kernel's word for faults that wait until the file system's metadata is on the device.
      assertThat(mappingFlags(path).contains("sf")).isEqualTo(onDax);
    }
  }

  @Test
  void slicesKeepApart() throws IOException {
    try (PersistentMemory memory = PersistentMemoryFile.open(directory.resolve("x"), SIZE)) {
      ByteBuffer slice = memory.slice(100, 10);
      assertThat(slice.capacity()).isEqualTo(10);
      slice.put(new byte[] {1, 2, 3}).flip();
      assertThat(memory.slice(99, 4)).isEqualTo(ByteBuffer.wrap(new byte[] {0, 1, 2, 3}));
    }
  }

  @Test
  void partsThatAreNotThereAreRefused() throws IOException {
    try (PersistentMemory memory = PersistentMemoryFile.open(directory.resolve("x"), SIZE)) {
      assertThatThrownBy(() -> memory.slice(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> memory.slice(SIZE - 1, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> memory.persist(SIZE - 1, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> memory.commit(SIZE, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> memory.commit(12, 2))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("no multiple of 8");
    }
  }

  @Test
  void aLargeFileIsPersistedAcrossItsPieces() throws IOException {
    Path path = directory.resolve("large");
    long size = PersistentMemory.PIECE_BYTES + SIZE;
    try (FileChannel holes =
        FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      holes.write(ByteBuffer.allocate(1), size - 1);
    }
    long end = PersistentMemory.PIECE_BYTES;
    try (PersistentMemory memory = PersistentMemoryFile.open(path, size)) {
      memory.slice(end - 3, 3).put(new byte[] {1, 2, 3});
      memory.slice(end, 2).put(new byte[] {4, 5});
      memory.persist(end - 3, 5);
      memory.commit(end + 8, 9);
      assertThatThrownBy(() -> memory.slice(end - 3, 5))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("cross a multiple of");
    }
    ByteBuffer found = ByteBuffer.allocate(5);
    try (FileChannel reading = FileChannel.open(path, StandardOpenOption.READ)) {
      reading.read(found, end - 3);
    }
    assertThat(found.array()).containsExactly(1, 2, 3, 4, 5);
    try (PersistentMemory memory = PersistentMemoryFile.open(path, size)) {
      assertThat(memory.word(end + 8)).isEqualTo(9);
    }
  }

  @Test
  void aClosedMemoryDoesNothing() throws IOException {
    PersistentMemory memory = PersistentMemoryFile.open(directory.resolve("x"), SIZE);
    memory.commit(0, 1);
    ByteBuffer slice = memory.slice(0, 8);
    memory.close();
    memory.close();
    assertThatThrownBy(() -> memory.slice(0, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> memory.word(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> memory.persist(0, 1)).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> memory.commit(0, 2)).isInstanceOf(ClosedChannelException.class);
    assertThat(slice.get(0)).isEqualTo((byte) 1);
  }

  @Test
  void theMappingIsGoneWhenNoSliceIsReachable() throws Exception {
    Path maps = Path.of("/proc/self/maps");
    Requirement.LINUX.check(Files.isReadable(maps), "no " + maps);
    Path path = directory.resolve("mapped");
    PersistentMemoryFile.open(path, SIZE).close();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (Files.readString(maps).contains(path.toString())) {
      assertThat(System.nanoTime()).as("the time to unmap").isLessThan(deadline);
      System.gc();
      Thread.onSpinWait();
    }
  }

  @Test
  void aFileIsOpenOnceInAProcess() throws IOException {
    Path path = directory.resolve("x");
    Path link = Files.createSymbolicLink(directory.resolve("link"), path);
    PersistentMemory memory = PersistentMemoryFile.open(path, SIZE);
    for (Path again : new Path[] {path, link}) {
      assertThatThrownBy(() -> PersistentMemoryFile.open(again, SIZE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("open already in this process");
    }
    memory.close();
    PersistentMemoryFile.open(link, SIZE).close();
  }

  @Test
  void aFileIsOpenInOneProcess() throws Exception {
    Path path = directory.resolve("x");
    try (PersistentMemory memory = PersistentMemoryFile.open(path, SIZE)) {
      assertThat(openElsewhere(path)).contains(path + " is in use by another process");
      // A refused opener in this process must not cost us the lock.
      assertThatThrownBy(() -> PersistentMemoryFile.open(path, SIZE))
          .isInstanceOf(IOException.class);
      assertThat(openElsewhere(path)).contains("is in use by another process");
      memory.commit(0, 1);
    }
    assertThat(openElsewhere(path)).isEqualTo("opened");
  }

  @Test
  void aFileThatOthersOfThisProcessHaveLockedIsRefused() throws IOException {
    Path path = directory.resolve("x");
    PersistentMemoryFile.open(path, SIZE).close();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.lock();
      assertThatThrownBy(() -> PersistentMemoryFile.open(path, SIZE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(path + " is locked already in this process");
    }
    PersistentMemoryFile.open(path, SIZE).close();
  }

  @Test
  void whatCannotBeRightIsRefusedWithAReason() throws IOException {
    assertThatThrownBy(() -> PersistentMemoryFile.open(directory.resolve("x"), 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PersistentMemoryFile.open(directory.resolve("none/x"), SIZE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("there is no directory " + directory.resolve("none"));
    Path path = directory.resolve("x");
    PersistentMemoryFile.open(path, SIZE).close();
    assertThatThrownBy(() -> PersistentMemoryFile.open(path, 2 * SIZE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has 1048576 bytes, not 2097152");
    PersistentMemoryFile.open(path, SIZE).close();
  }

  @Test
  void aFileThatWasNeverFinishedIsMadeAnew() throws IOException {
    Path path = directory.resolve("x");
    Files.write(directory.resolve("x.unfinished"), new byte[] {1, 2, 3});
    try (PersistentMemory memory = PersistentMemoryFile.open(path, SIZE)) {
      assertThat(memory.slice(0, SIZE)).isEqualTo(ByteBuffer.allocate(SIZE));
    }
    assertThat(files()).containsExactly(path);
  }

  @Test
  void aDeviceThatIsTooSmallIsRefusedAndStaysEmpty() throws IOException {
    Path full = Path.of("/dev/full");
    Requirement.LINUX.check(Files.isWritable(full), "no " + full);
    // The unfinished file is a link to a device on which every write finds no space.
    Path path = directory.resolve("x");
    Files.createSymbolicLink(directory.resolve("x.unfinished"), full);
    assertThatThrownBy(() -> PersistentMemoryFile.open(path, SIZE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot allocate 1048576 bytes for " + path)
        .hasMessageContaining("No space left on device");
    assertThat(files()).isEmpty();
  }

  private Iterable<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  /** The options of the file system that a file is on. */
  private static List<String> mountOptions(Path path) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
        .map(line -> line.split(" ", -1))
        .filter(mount -> path.startsWith(mount[1]))
        .max(Comparator.comparing(mount -> mount[1].length()))
        .map(mount -> List.of(mount[3].split(",", -1)))
        .orElseThrow();
  }

  /** The kernel's flags of the mapping of a file in this process. */
  private static List<String> mappingFlags(Path path) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
    int begin = 0;
    while (!lines.get(begin).endsWith(" " + path)) {
      begin++;
    }
    return lines.stream()
        .skip(begin)
        .filter(line -> line.startsWith("VmFlags:"))
        .map(line -> List.of(line.split(" ", -1)))
        .findFirst()
        .orElseThrow();
  }

  private static long allocatedBytes(Path path) throws IOException {
    Process stat = new ProcessBuilder("stat", "-c", "%b", path.toString()).start();
    String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return 512 * Long.parseLong(blocks.strip());
  }

  /** Where the classes of another process come from. */
  private static String classPath() {
    return Stream.of(Opener.class, PersistentMemory.class, LoggerFactory.class)
        .map(needed -> needed.getProtectionDomain().getCodeSource().getLocation().getPath())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** What another process says that opens a file. */
  private static String openElsewhere(Path path) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                classPath(),
                Opener.class.getName(),
                path.toString())
            .start();
    try {
      process.getErrorStream().transferTo(System.err);
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      return said;
    } finally {
      process.destroyForcibly();
    }
  }

  /** Opens a file, and says how it went. */
  static final class Opener {

    private Opener() {}

    public static void main(String[] args) {
      try (PersistentMemory memory = PersistentMemoryFile.open(Path.of(args[0]), SIZE)) {
        System.out.print(memory.size() == SIZE ? "opened" : "of another size");
      } catch (IOException e) {
        System.out.print(e.getMessage());
      }
    }
  }
}
