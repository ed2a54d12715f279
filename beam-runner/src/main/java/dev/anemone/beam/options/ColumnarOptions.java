// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/** Options of the columnar engine, which runs parts of SQL queries in batches of columns. */
public interface ColumnarOptions extends PipelineOptions {

  @Description(
      "Where a columnar engine runs parts of SQL queries. auto: where the tables of a part are of"
          + " TYPE ndp and their files on this machine, and all of the part means the same there;"
          + " it is one task, with a thread for each slot. off: nowhere.")
  @Default.String(ColumnarUse.AUTO_NAME)
  String getColumnar();

  void setColumnar(String columnar);

  @Description(
      "Memory in MB off the heap of the columnar engine; what does not fit goes to disk, in"
          + " java.io.tmpdir. 0: half of the machine's memory that is not the heap's.")
  @Default.Integer(0)
  int getColumnarMemoryMb();

  void setColumnarMemoryMb(int columnarMemoryMb);
}
