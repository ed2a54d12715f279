// SPDX-License-Identifier: Apache-2.0
package com.example;

import java.util.Arrays;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.values.TypeDescriptors;

/** The program that the documents run with Apache Nemo's flags: it adds the numbers of a file. */
public final class Sums {
  private Sums() {}

  /** Takes the input, the output, and options of the runner. */
  public static void main(String[] args) {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(Arrays.copyOfRange(args, 2, args.length)).create());
    pipeline
        .apply(TextIO.read().from(args[0]))
        .apply(MapElements.into(TypeDescriptors.longs()).via(Long::parseLong))
        .apply(Sum.longsGlobally())
        .apply(MapElements.into(TypeDescriptors.strings()).via(String::valueOf))
        .apply(TextIO.write().to(args[1]).withoutSharding());
    pipeline.run().waitUntilFinish();
  }
}
