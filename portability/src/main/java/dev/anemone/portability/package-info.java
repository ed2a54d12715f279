// SPDX-License-Identifier: Apache-2.0
/** Runs the pipelines of every SDK. */
package dev.anemone.portability;
