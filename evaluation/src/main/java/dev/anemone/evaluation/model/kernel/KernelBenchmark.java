// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.model.kernel.KernelRecords.KernelCheck;
import dev.anemone.evaluation.model.kernel.ShuffleKernel.AnemoneKernel;
import dev.anemone.evaluation.model.kernel.ShuffleKernel.KernelShape;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One shuffle by one kernel, with parameters of {@link ShuffleKernelMeasurement}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class KernelBenchmark {
  @Param public KernelName kernel;

  @Param({"false", "true"})
  public boolean compressed;

  @Param("100000")
  public long records;

  @Param("100")
  public int partitions;

  /** Memory of the writer, and after it of each reader, in bytes. */
  @Param("268435456")
  public long memoryBytes;

  /** Where the files go, which must be on a disk; empty for the system's temporary directory. */
  @Param("")
  public String directory;

  private KernelShape shape;
  private ShuffleKernel created;
  private KernelCheck expected;

  /** Adds up what is to come back. */
  @Setup
  public void setUp() throws IOException {
    Path parent = Path.of(directory.isEmpty() ? System.getProperty("java.io.tmpdir") : directory);
    Path files = Files.createTempDirectory(parent, "kernel");
    shape = new KernelShape(records, partitions, memoryBytes, compressed, files);
    created = kernel.create(memoryBytes);
    expected = KernelCheck.expected(records);
  }

  @TearDown
  public void tearDown() throws IOException {
    FileTrees.delete(shape.directory());
  }

  /** Throws an exception if the kernel gives back other records than it got. */
  @Benchmark
  public void shuffle() throws Exception {
    created.shuffle(shape).requireEqual(expected);
  }

  public enum KernelName {
    ANEMONE("Anemone"),
    /** {@code OrderedPartitionedKVOutput} and {@code OrderedGroupedKVInput}. */
    TEZ("Tez");

    private final String label;

    KernelName(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }

    ShuffleKernel create(long memoryBytes) {
      return switch (this) {
        case ANEMONE -> new AnemoneKernel(memoryBytes);
        case TEZ -> new TezKernel();
      };
    }
  }
}
