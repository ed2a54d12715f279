// SPDX-License-Identifier: Apache-2.0
/** Runnable Beam pipelines. They use Beam's API only, so that any Beam runner can run them. */
package dev.anemone.examples;
