package dev.anemone.beam;

import dev.anemone.passes.PassContext;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.EngineOptions;
import dev.anemone.runtime.memory.DirectMemory;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * The options of one run, checked and complete.
 *
 * @param policy name of the policy; not used when {@code passes} are given
 * @param passes names of the passes to run instead of a policy; empty for the policy
 * @param passContext what passes get to know
 * @param engine how the engine runs the job
 * @param explain how the plans are printed
 * @param explainOnly whether to stop before the job runs
 * @param dagDirectory where the plans are written, if they are
 * @param summary whether what went over the edges, and came of samples, is printed at the end
 */
record RunSettings(
    String policy,
    List<String> passes,
    PassContext passContext,
    EngineOptions engine,
    ExplainFormat explain,
    boolean explainOnly,
    Optional<Path> dagDirectory,
    boolean summary) {

  /** The policy where none is asked for. */
  static final String DEFAULT_POLICY = "Default";

  private static final long MAX_DEFAULT_OFF_HEAP_BYTES = 2L << 30;
  private static final long MIN_TASK_MEMORY_BYTES = 16L << 20;

  /**
   * The settings that the options ask for.
   *
   * @throws InvalidPipelineException names the option, the value, and what would be right
   */
  static RunSettings of(PipelineOptions pipelineOptions) {
    NemoPipelineOptions options = pipelineOptions.as(NemoPipelineOptions.class);
    List<String> passes = options.getPasses() == null ? List.of() : options.getPasses();
    if (!passes.isEmpty() && !options.getOptimizationPolicy().equals(DEFAULT_POLICY)) {
      throw new InvalidPipelineException(
          "--passes="
              + String.join(",", passes)
              + " and --optimizationPolicy="
              + options.getOptimizationPolicy()
              + " exclude each other: a policy is itself a list of passes. Give one of the two.");
    }
    int slots = atLeast(1, "slots", options.getSlots(), "tasks that run at the same time");
    EngineOptions engine =
        new EngineOptions(
            slots,
            atLeast(
                1, "maxTaskAttempts", options.getMaxTaskAttempts(), "attempts of a failing task"),
            offHeapBytes(options),
            tempDirectory(options.getTempDirectory()),
            progress(options.getProgress()),
            new Deployment.InProcess());
    ExplainFormat explain = explainFormat(options.getExplain());
    return new RunSettings(
        options.getOptimizationPolicy(),
        List.copyOf(passes),
        PassContext.of(slots, taskMemoryBytes(options, slots), passOptions(options)),
        engine,
        explain == ExplainFormat.NONE && options.getExplainOnly() ? ExplainFormat.TEXT : explain,
        options.getExplainOnly(),
        Optional.ofNullable(options.getDagDirectory()).map(d -> directory("dagDirectory", d)),
        options.getSummary());
  }

  private static int atLeast(int min, String option, int value, String what) {
    if (value < min) {
      throw new InvalidPipelineException(
          "--"
              + option
              + "="
              + value
              + " is the number of "
              + what
              + " and must be at least "
              + min
              + ".");
    }
    return value;
  }

  private static long taskMemoryBytes(NemoPipelineOptions options, int slots) {
    int megabytes = atLeast(0, "taskMemoryMb", options.getTaskMemoryMb(), "MB of memory per task");
    return megabytes > 0
        ? (long) megabytes << 20
        : Math.max(MIN_TASK_MEMORY_BYTES, Runtime.getRuntime().maxMemory() / 2 / slots);
  }

  private static long offHeapBytes(NemoPipelineOptions options) {
    int megabytes =
        atLeast(0, "offHeapMemoryMb", options.getOffHeapMemoryMb(), "MB of off-heap memory");
    long limit = DirectMemory.limitBytes();
    if (megabytes == 0) {
      return Math.max(
          EngineOptions.MIN_OFF_HEAP_BYTES, Math.min(limit / 2, MAX_DEFAULT_OFF_HEAP_BYTES));
    }
    long bytes = (long) megabytes << 20;
    if (bytes < EngineOptions.MIN_OFF_HEAP_BYTES || bytes > limit) {
      throw new InvalidPipelineException(
          "--offHeapMemoryMb="
              + megabytes
              + " must be at least "
              + (EngineOptions.MIN_OFF_HEAP_BYTES >> 20)
              + " and at most "
              + (limit >> 20)
              + ", the direct memory that this JVM allows; -XX:MaxDirectMemorySize raises it.");
    }
    return bytes;
  }

  private static Map<String, String> passOptions(NemoPipelineOptions options) {
    Map<String, String> values = new LinkedHashMap<>();
    if (options.getParallelism() > 0) {
      values.put("parallelism", options.getParallelism().toString());
    }
    if (options.getMaxParallelism() > 0) {
      values.put("maxParallelism", options.getMaxParallelism().toString());
    }
    if (options.getCompression() != null) {
      values.put("compression", options.getCompression());
    }
    if (options.getSpeculation()) {
      values.put("speculation", "true");
    }
    List<String> given = options.getPassOptions() == null ? List.of() : options.getPassOptions();
    for (String option : given) {
      int equals = option.indexOf('=');
      if (equals < 1) {
        throw new InvalidPipelineException(
            "--passOptions has the entry '"
                + option
                + "', which is not of the form name=value. Write for example"
                + " --passOptions=parallelism=8,compression=lz4.");
      }
      values.put(option.substring(0, equals).strip(), option.substring(equals + 1).strip());
    }
    return values;
  }

  private static boolean progress(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "on" -> true;
      case "off" -> false;
      case "auto" -> Terminal.isInteractive();
      default ->
          throw new InvalidPipelineException(
              "--progress=" + value + " is not known. Use auto, on or off.");
    };
  }

  private static Path tempDirectory(String value) {
    Path directory = directory("tempDirectory", value);
    if (Files.exists(directory) && !Files.isWritable(directory)) {
      throw new InvalidPipelineException(
          "--tempDirectory="
              + value
              + " cannot be written by this user. Name a local directory that can.");
    }
    return directory;
  }

  private static Path directory(String option, String value) {
    Path directory;
    try {
      directory = Path.of(value);
    } catch (InvalidPathException e) {
      throw new InvalidPipelineException(
          "--"
              + option
              + "="
              + value
              + " is not a path on this machine: "
              + e.getReason()
              + ". Name a local directory.",
          e);
    }
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new InvalidPipelineException(
          "--"
              + option
              + "="
              + value
              + " is a file. Name a local directory; it is made when it does"
              + " not exist.");
    }
    return directory;
  }

  private static ExplainFormat explainFormat(String value) {
    return Arrays.stream(ExplainFormat.values())
        .filter(format -> format.name().equalsIgnoreCase(value))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidPipelineException(
                    "--explain=" + value + " is not known. Use none, text, json or dot."));
  }
}
