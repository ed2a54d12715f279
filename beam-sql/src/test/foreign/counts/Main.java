// SPDX-License-Identifier: Apache-2.0

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TypeDescriptors;

/** Counts words, and prints how many there are of each. */
public final class Main {

  private Main() {}

  public static void main(String[] arguments) {
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs(arguments).withValidation().create());
    pipeline
        .apply(Create.of("hello", "world", "hello"))
        .apply(Count.perElement())
        .apply(MapElements.into(TypeDescriptors.voids()).via(Main::print));
    pipeline.run().waitUntilFinish();
  }

  private static Void print(KV<String, Long> count) {
    System.out.println(count.getKey() + ": " + count.getValue());
    return null;
  }
}
