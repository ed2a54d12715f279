// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import java.io.Serializable;
import org.apache.beam.sdk.schemas.Schema;

/**
 * Makes rows of batches. Without the name of the step, so that steps that make the same rows are
 * equal.
 *
 * @param schema of the rows; field by field what the batches hold
 */
record RowsSpec(Schema schema) implements Serializable {}
