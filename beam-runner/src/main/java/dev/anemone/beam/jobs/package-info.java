// SPDX-License-Identifier: Apache-2.0
/** Which jobs of a user run on this machine, so that other programs can see and end them. */
package dev.anemone.beam.jobs;
