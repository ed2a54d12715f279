// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import java.util.Set;

/** What an operator may use while it runs. */
public interface OperatorContext extends TaskContext {

  /** The id of the operator's vertex in the IR. */
  String vertexId();

  /** What a person calls the operator's vertex; metrics may go by it. */
  String vertexName();

  /** The receiver of an output; elements of an output that nobody reads are dropped. */
  Receiver output(String name);

  /** The names of the side inputs that edges lead into. */
  Set<String> sideInputs();

  /**
   * Hands every element of a side input to {@code receiver}, straight from the link. Can be called
   * again, and reads the link again then.
   */
  void readSideInput(String name, SizedReceiver receiver) throws Exception;

  /** A file on local disk for what does not fit into memory; the operator closes it. */
  SpillFile newSpillFile();

  /**
   * Adds to what the task reports to the client when it succeeds, see {@link
   * dev.anemone.runtime.engine.JobResult#reports()}. Called at most once per operator.
   */
  void report(byte[] report);
}
