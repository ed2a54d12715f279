// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.ir.relational.RowType;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;

/** A physical operator that gives batches; its rows are made of them. */
public interface BatchRel extends BeamRelNode {

  /** Whether it gives batches whatever windows its inputs have. */
  default boolean isAlwaysOfBatches() {
    return true;
  }

  /** The columns of the batches. */
  RowType batchRow();

  /**
   * What runs it, on the collections of its inputs.
   *
   * @param form of the batches
   * @param coder of its elements
   */
  <T> PTransform<PCollectionList<Row>, PCollection<T>> batches(BatchForm<T> form, Coder<T> coder);
}
