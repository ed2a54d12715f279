// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/** Options of the columnar engine, which runs parts of SQL queries in batches of columns. */
public interface ColumnarOptions extends PipelineOptions {

  @Description(
      "Where a columnar engine runs parts of SQL queries, and of programs with Beam's schema"
          + " transforms, as far as all of a part means the same there. auto: parts over tables that"
          + " are read in splits (TYPE ndp, parquet and text) in one task, with a thread for each"
          + " slot, where the files are on this machine and the job is in this process; else, and"
          + " with collections among the inputs, in tasks that exchange batches. distributed: always"
          + " in such tasks. off: nowhere; INSERT then writes rows, too.")
  @Default.String(ColumnarUse.AUTO_NAME)
  String getColumnar();

  void setColumnar(String columnar);

  @Description(
      "Memory in MB off the heap of the columnar engine; what does not fit goes to disk, in"
          + " --tempDirectory. In this process it is what all slots have together, on YARN what a task"
          + " has. 0: half of the machine's memory that is not the heap's, for a part that is one"
          + " task; 256 for each of several tasks, and on YARN a sixth of the executor.")
  @Default.Integer(0)
  int getColumnarMemoryMb();

  void setColumnarMemoryMb(int columnarMemoryMb);

  @Description(
      "Of rows that are joined in the tasks that read them, how many MB are joined at a time; the"
          + " small side of the join is read for each.")
  @Default.Integer(32)
  int getColumnarPieceMb();

  void setColumnarPieceMb(int columnarPieceMb);

  @Description(
      "Into how many partitions tasks of the columnar engine divide what they exchange. 0: four for"
          + " each slot or executor, or for each of --parallelism.")
  @Default.Integer(0)
  int getExchangePartitions();

  void setExchangePartitions(int exchangePartitions);
}
