// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.view;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.ir.IRDag;
import java.util.ServiceLoader;

/**
 * Draws plans. {@code NemoRunner} finds it by {@link ServiceLoader}, where a picture is asked for;
 * {@code anemone-ui} has one. Thread-safe.
 */
public interface PlanPainter {

  /**
   * A plan as a picture.
   *
   * @param title what stands above it
   * @return a document of SVG, which needs no other file; equal plans give equal pictures
   */
  String svg(String title, IRDag plan);

  /**
   * The one on the class path.
   *
   * @throws InvalidPipelineException when there is none
   */
  static PlanPainter find(ClassLoader loader) {
    return ServiceLoader.load(PlanPainter.class, loader)
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidPipelineException(
                    "--explain=svg needs what draws pictures, which is not on the class path. Add"
                        + " dev.anemone:anemone-ui to the program, or give --explain=tree."));
  }
}
