// SPDX-License-Identifier: Apache-2.0
/** Translates portable pipelines to the IR. */
package dev.anemone.portability.translation;
