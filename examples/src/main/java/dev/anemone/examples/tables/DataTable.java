// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import java.io.Serializable;
import org.apache.beam.sdk.schemas.Schema;

/** A table of a data set: what its files are called, and what is in them. Immutable. */
public interface DataTable extends Serializable {

  /** The name in SQL and of the data files, in lower case. */
  String tableName();

  /** The columns, in the order of the lines of text. An empty text is NULL where that may be. */
  Schema schema();

  /** Average length of a line of text in bytes, its end included. */
  int averageLineBytes();

  /** With what the names of files of text end, such as {@code .tbl}. */
  String textSuffix();
}
