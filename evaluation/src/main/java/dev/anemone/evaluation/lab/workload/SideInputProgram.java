// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import static org.apache.beam.sdk.values.TypeDescriptors.kvs;
import static org.apache.beam.sdk.values.TypeDescriptors.longs;

import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.evaluation.lab.report.Findings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.io.GenerateSequence;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TypeDescriptor;

/**
 * The program that is measured: makes pairs of a number and {@value #VALUE_BYTES} random bytes, two
 * for each key, takes them as a multimap, and looks up keys that are drawn at random.
 */
public final class SideInputProgram {
  public static final int VALUE_BYTES = 1_000;

  public interface Options extends NemoPipelineOptions {
    @Description("How many pairs, an even number")
    @Validation.Required
    Long getPairs();

    void setPairs(Long pairs);

    @Description("How many keys to look up")
    @Validation.Required
    Long getLookups();

    void setLookups(Long lookups);

    @Description("Where to write a SideInputReport, as JSON")
    @Validation.Required
    String getFigures();

    void setFigures(String figures);
  }

  private SideInputProgram() {}

  /** How many pairs have so many bytes: an even number, since every key has two. */
  public static long pairs(long bytes) {
    return bytes / VALUE_BYTES / 2 * 2;
  }

  /** Runs the pipeline on NemoRunner and writes the report. */
  public static void main(String[] args) throws IOException {
    PipelineOptionsFactory.register(Options.class);
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    Pipeline pipeline = Pipeline.create(options);
    long keys = options.getPairs() / 2;
    PCollectionView<Map<Long, Iterable<byte[]>>> view =
        pipeline
            .apply("Side", GenerateSequence.from(0).to(options.getPairs()))
            .apply(
                "Pair",
                MapElements.into(kvs(longs(), TypeDescriptor.of(byte[].class)))
                    .via(number -> KV.of(number % keys, value(number))))
            .apply(View.asMultimap());
    pipeline
        .apply("Main", GenerateSequence.from(0).to(options.getLookups()))
        .apply("Look up", ParDo.of(new LookUpFn(view, keys)).withSideInputs(view));
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();
    Findings.write(
        Path.of(options.getFigures()),
        new SideInputReport(
            options.getPairs(),
            options.getLookups(),
            ShuffleWorkload.sum(result.metrics(), LookUpFn.class, LookUpFn.FOUND),
            Runtime.getRuntime().maxMemory()));
  }

  /** Bytes that do not compress, the same for the same number. */
  private static byte[] value(long number) {
    byte[] value = new byte[VALUE_BYTES];
    new Random(number).nextBytes(value);
    return value;
  }

  private static final class LookUpFn extends DoFn<Long, Long> {
    private static final long serialVersionUID = 1L;
    private static final String FOUND = "found";

    private final PCollectionView<Map<Long, Iterable<byte[]>>> view;
    private final long keys;
    private final Counter found = Metrics.counter(LookUpFn.class, FOUND);

    LookUpFn(PCollectionView<Map<Long, Iterable<byte[]>>> view, long keys) {
      this.view = view;
      this.keys = keys;
    }

    @ProcessElement
    public void lookUp(ProcessContext context) {
      long key = new Random(context.element()).nextLong(keys);
      byte[] first = value(key);
      byte[] second = value(key + keys);
      int firsts = 0;
      int seconds = 0;
      for (byte[] value : context.sideInput(view).get(key)) {
        firsts += Arrays.equals(value, first) ? 1 : 0;
        seconds += Arrays.equals(value, second) ? 1 : 0;
      }
      if (firsts == 1 && seconds == 1) {
        found.inc();
      }
    }
  }

  /** A report of {@link SideInputProgram}: how many lookups found all values of their key. */
  public record SideInputReport(long pairs, long lookups, long found, long heapBytes) {}
}
