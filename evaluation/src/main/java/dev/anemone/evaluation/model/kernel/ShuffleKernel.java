// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

/**
 * Something that sorts records into partitions, within a bound of memory, stores them in local
 * files, and reads each partition back in the order of the keys.
 */
interface ShuffleKernel {

  /**
   * Shuffles all records of {@link KernelRecords} once: one task writes, then every partition is
   * read to its end, one after the other. Leaves no files.
   *
   * @return what was read
   * @throws Exception if it fails
   */
  KernelCheck shuffle(KernelShape shape) throws Exception;
}
