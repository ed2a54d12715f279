// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.spec.StepPayload;
import org.apache.beam.sdk.schemas.Schema;

/**
 * Makes rows of batches.
 *
 * @param stepName the full name of the transform
 * @param schema of the rows; field by field what the batches hold
 */
record RowsSpec(String stepName, Schema schema) implements StepPayload {}
