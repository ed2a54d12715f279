// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import java.io.Serializable;

/** A payload that belongs to one step of the pipeline. */
public interface StepPayload extends Serializable {

  /** The full name of the transform, which metrics and errors go by. */
  String stepName();
}
