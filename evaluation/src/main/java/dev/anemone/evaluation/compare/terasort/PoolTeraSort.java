// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code evaluation/run pool-terasort}: TeraSort with less and less memory. */
@Command(
    name = "pool-terasort",
    sortOptions = false,
    description =
        "Sorts the same records with less and less memory, with shuffle and spills in local files"
            + " and in a pool of remote memory. Prints times, and the least memory of each.%n")
public final class PoolTeraSort extends ExperimentCommand {
  private static final int RECORD_BYTES = 100;

  /** Of the pool, for each byte that is sorted: it is shuffled, and may be spilled twice. */
  private static final int POOL_BYTES_PER_BYTE = 4;

  private static final int LEAST_POOL_MEGABYTES = 256;

  @Option(
      names = "--bytes",
      defaultValue = "1g",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description = "What is sorted: bytes, or such as 10k, 200m, 1g (default: ${DEFAULT-VALUE}).")
  private long bytes;

  @Option(
      names = "--memory",
      split = ",",
      defaultValue = "512:512,256:256,192:128,128:96,128:64,96:64,96:48,80:32,64:32",
      converter = PointConverter.class,
      paramLabel = "HEAP:DIRECT,...",
      description = "Memory of the sorting JVM in MB (default: ${DEFAULT-VALUE}).")
  private List<SweepPlan.MemoryPoint> points;

  @Option(
      names = "--transport",
      defaultValue = "tcp",
      paramLabel = "NAME",
      description = "How the pool is reached: tcp or ucx (default: ${DEFAULT-VALUE}).")
  private String transport;

  @Option(
      names = "--runs",
      defaultValue = "1",
      paramLabel = "N",
      description = "Sorts of each side at each point, in turns (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--nemo-option",
      paramLabel = "OPTION",
      description = "A further option of NemoRunner for all sorts; may be given several times.")
  private List<String> nemoOptions = List.of();

  @Option(
      names = "--deadline",
      defaultValue = "900",
      paramLabel = "SECONDS",
      description = "After which a sort has not finished (default: ${DEFAULT-VALUE}).")
  private int deadlineSeconds;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    require(
        "--bytes", bytes, bytes >= RECORD_BYTES, "a record alone has " + RECORD_BYTES + " bytes");
    require("--runs", runs, runs >= 1, "there must be a run");
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    SweepPlan plan =
        new SweepPlan(
            evaluation.results("pool-terasort"),
            // The server of the pool is a program of this module.
            evaluation.ownClassPath(),
            bytes / RECORD_BYTES,
            points,
            transport,
            Math.toIntExact(LEAST_POOL_MEGABYTES + POOL_BYTES_PER_BYTE * (bytes >> 20)),
            NemoJvm.options(),
            nemoOptions,
            runs,
            Duration.ofSeconds(deadlineSeconds));
    new MemorySweep(plan, out()).run();
    return true;
  }

  /** Reads points such as {@code 128:64}. */
  static final class PointConverter implements ITypeConverter<SweepPlan.MemoryPoint> {
    private static final Pattern POINT = Pattern.compile("([1-9]\\d{0,5}):([1-9]\\d{0,5})");

    @Override
    public SweepPlan.MemoryPoint convert(String text) {
      Matcher numbers = POINT.matcher(text);
      if (!numbers.matches()) {
        throw new TypeConversionException(
            "'" + text + "' is no memory. Give MB of heap and direct memory, such as 128:64.");
      }
      return new SweepPlan.MemoryPoint(
          Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)));
    }
  }
}
