// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.SyntheticSource;
import java.util.Arrays;
import java.util.Random;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;

/**
 * The program that is measured: broadcasts {@value #BYTES} bytes to tasks, each of which reads them
 * once, and writes how long that took each, in ns, a line for a task.
 */
public final class BroadcastProgram {
  public static final int BYTES = 128;

  public interface Options extends NemoPipelineOptions {
    @Description("How many tasks read what is broadcast")
    @Validation.Required
    Integer getTasks();

    void setTasks(Integer tasks);

    @Description("The file to write the tasks' times to, in ns")
    @Validation.Required
    String getTimes();

    void setTimes(String times);
  }

  private BroadcastProgram() {}

  /** Runs the pipeline on NemoRunner. */
  public static void main(String[] args) {
    PipelineOptionsFactory.register(Options.class);
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    Pipeline pipeline = Pipeline.create(options);
    PCollectionView<byte[]> view =
        pipeline
            .apply("Side", Create.of(value()).withCoder(ByteArrayCoder.of()))
            .apply(View.asSingleton());
    SyntheticRecords oneForEach = new SyntheticRecords(options.getTasks(), 1);
    pipeline
        .apply("Main", Read.from(SyntheticSource.of(oneForEach, options.getTasks())))
        .apply("Read", ParDo.of(new ReadFn(view)).withSideInputs(view))
        .apply("Write", TextIO.write().to(options.getTimes()).withoutSharding());
    pipeline.run().waitUntilFinish();
  }

  private static byte[] value() {
    byte[] value = new byte[BYTES];
    new Random(1).nextBytes(value);
    return value;
  }

  private static final class ReadFn extends DoFn<KV<byte[], byte[]>, String> {
    private static final long serialVersionUID = 1L;

    private final PCollectionView<byte[]> view;

    ReadFn(PCollectionView<byte[]> view) {
      this.view = view;
    }

    @ProcessElement
    public void read(ProcessContext context) {
      long begin = System.nanoTime();
      byte[] found = context.sideInput(view);
      long nanos = System.nanoTime() - begin;
      if (!Arrays.equals(found, value())) {
        throw new IllegalStateException("other bytes were read than those that were broadcast");
      }
      context.output(Long.toString(nanos));
    }
  }
}
