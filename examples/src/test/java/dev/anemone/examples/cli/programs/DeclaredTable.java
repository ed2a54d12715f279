// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli.programs;

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptors;

/** A user's program that declares a table, asks for one row, and writes its values as a line. */
public final class DeclaredTable {

  /** What is asked, and where the answer goes. */
  public interface Options extends PipelineOptions {
    String getTable();

    void setTable(String statement);

    String getSql();

    void setSql(String query);

    String getOutput();

    void setOutput(String file);
  }

  private DeclaredTable() {}

  public static void main(String[] args) {
    Options options = PipelineOptionsFactory.fromArgs(args).as(Options.class);
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply(SqlTransform.query(options.getSql()).withDdlString(options.getTable()))
        .apply(MapElements.into(TypeDescriptors.strings()).via(DeclaredTable::line))
        .apply(TextIO.write().to(options.getOutput()).withoutSharding());
    pipeline.run().waitUntilFinish();
  }

  private static String line(Row row) {
    return String.join(" ", row.getValues().stream().map(String::valueOf).toList());
  }
}
