// SPDX-License-Identifier: Apache-2.0
/** How a job is shown to people, by what is on the class path for it. */
package dev.anemone.beam.view;
