// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What data is asked for, and how it comes into being where there is none. */
public interface DataSetKind {

  /** Whose data it is, in one word in lower case: the name of its directory in the cache. */
  String benchmark();

  /** A name for a directory of such data. */
  String directoryName();

  /** All tables. */
  List<? extends DataTable> tables();

  /**
   * What tells such data from other data of the benchmark, by the name of the option that asks for
   * it. A text that is empty stands for an option that is not given.
   */
  Map<String, String> properties();

  /**
   * Generates the data.
   *
   * @param directory what shall hold the files; it does not exist, or is empty
   * @throws IllegalArgumentException if there is not enough room on the disk
   * @throws IOException if a file cannot be written
   */
  void generate(Path directory) throws IOException;
}
