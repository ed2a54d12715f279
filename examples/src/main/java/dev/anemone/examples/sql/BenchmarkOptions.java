// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import dev.anemone.examples.tables.TableAccess;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.Validation;

/** Which queries of a benchmark, on what data. */
public interface BenchmarkOptions extends PipelineOptions {
  @Description("Numbers of the queries, such as 6 or 1,3,5-7, or all")
  @Validation.Required
  String getQuery();

  void setQuery(String query);

  @Description("Scale factor of the data; 1 is about a gigabyte")
  @Default.Double(0.1)
  double getScale();

  void setScale(double scale);

  @Description(
      "Directory of text or Parquet files, generated if it does not exist; by default a directory"
          + " per kind of data under ~/.cache/anemone")
  String getData();

  void setData(String data);

  @Description(
      "How the data is read: by sources of this program (sources), as tables of TYPE ndp, whose"
          + " first operators may run where the data lies (ndp), or as collections that this"
          + " program reads as a whole (pcollections)")
  @Default.Enum("SOURCES")
  TableAccess getTables();

  void setTables(TableAccess tables);

  @Description(
      "Directory where each result is written as a CSV file, such as q06.csv. Default: nowhere")
  String getOutput();

  void setOutput(String output);
}
