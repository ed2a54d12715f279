// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.view;

/**
 * Shows jobs. {@code NemoRunner} finds it by {@link java.util.ServiceLoader}, where somebody wants
 * to see a job; {@code anemone-ui} has one. Thread-safe.
 */
public interface JobViewer {

  /**
   * Gets ready to show a job that is about to be submitted.
   *
   * @throws IllegalArgumentException when the settings ask for what cannot be; says which option,
   *     and what would be right
   */
  JobView open(ViewSettings settings);
}
